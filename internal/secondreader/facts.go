package secondreader

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Place is where a declaration stands: the token that its declarator begins with. Col is 0 in headers of the system.
type Place struct {
	File      string // without folders
	Line, Col int
}

// String returns file:line:col.
func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Fact is what a reader knows of one declaration.
type Fact struct {
	Kind string // typedef, object, function, enumerator, tag, case
	Name string
	At   Place
	Is   map[string]string // by attributes: type, size, align, …
}

// Facts are the declarations of a unit, in any order.
type Facts []*Fact

// Difference is something that readers do not agree on.
type Difference struct {
	Name         string
	Fact         string // kind and name
	At           Place
	Attribute    string // of a declaration that one reader does not have: "declared"; "place"
	Ours, Theirs string
	Type         string // ours, of the declaration
}

// String tells the difference in one line.
func (d Difference) String() string {
	s := fmt.Sprintf("%v: %s: %s is %s, cc has %s", d.At, d.Fact, d.Attribute, d.Ours, d.Theirs)
	if d.Type != "" && d.Attribute != "type" {
		s += fmt.Sprintf(" (%.60s)", d.Type)
	}
	return s
}

// Compare returns what differs, and how many declarations both have.
//
// Declarations are the same if their kinds, names and places are. A declaration that is left over is compared with one of that kind
// and name that is left over on the other side, in the order of their places; that the places differ is a difference, too, but not for
// parameters, as ours begin with their specifiers, and for tags: ours are where they come up first.
func Compare(ours, theirs Facts) (out []Difference, common int) {
	type key struct {
		kind, name string
		at         Place
	}
	there := map[key][]*Fact{}
	for _, f := range theirs {
		k := key{f.Kind, f.Name, f.At}
		there[k] = append(there[k], f)
	}
	left := map[string][2][]*Fact{} // by kind and name: ours, theirs
	for _, f := range ours {
		k := key{f.Kind, f.Name, f.At}
		if l := there[k]; len(l) > 0 {
			there[k] = l[1:]
			common++
			out = append(out, attributes(f, l[0])...)
			continue
		}
		n := f.Kind + " " + f.Name
		l := left[n]
		l[0] = append(l[0], f)
		left[n] = l
	}
	for _, fs := range there {
		for _, f := range fs {
			n := f.Kind + " " + f.Name
			l := left[n]
			l[1] = append(l[1], f)
			left[n] = l
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		l := left[name]
		a, b := byPlace(l[0]), byPlace(l[1])
		n := min(len(a), len(b))
		for i := range n {
			common++
			if a[i].Kind != "parameter" && a[i].Kind != "tag" {
				out = append(out, Difference{a[i].Name, name, a[i].At, "place", a[i].At.String(), b[i].At.String(), ""})
			}
			out = append(out, attributes(a[i], b[i])...)
		}
		for _, f := range a[n:] {
			out = append(out, Difference{f.Name, name, f.At, "declared", "yes", "no", ""})
		}
		for _, f := range b[n:] {
			out = append(out, Difference{f.Name, name, f.At, "declared", "no", "yes", ""})
		}
	}
	return out, common
}

func byPlace(fs []*Fact) []*Fact {
	slices.SortFunc(fs, func(a, b *Fact) int {
		if a.At.File != b.At.File {
			return strings.Compare(a.At.File, b.At.File)
		}
		if a.At.Line != b.At.Line {
			return a.At.Line - b.At.Line
		}
		return a.At.Col - b.At.Col
	})
	return fs
}

// attributes compares what both readers say of a declaration; what one of them leaves out is not compared.
func attributes(ours, theirs *Fact) (out []Difference) {
	for _, k := range slices.Sorted(maps.Keys(ours.Is)) {
		a, b := ours.Is[k], theirs.Is[k]
		if k == "bytes" {
			a, b = mask(a, b), mask(b, b)
		}
		if a != b && a != "" && b != "" {
			out = append(out, Difference{ours.Name, ours.Kind + " " + ours.Name, ours.At, k, a, b, ours.Is["type"]})
		}
	}
	return out
}

// mask hides in the bytes of an object what cc does not know of them: addresses, and what it does not compute.
func mask(s, theirs string) string {
	if len(s) != len(theirs) {
		return s
	}
	b := []byte(s)
	for i := range b {
		if theirs[i] == '?' {
			b[i] = '?'
		}
	}
	return string(b)
}
