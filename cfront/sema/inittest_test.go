package sema

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"comus/cfront/command"
	"comus/internal/long"
)

// inits makes random types with random initialisers.
type inits struct {
	r *rand.Rand
	b strings.Builder
	n int
}

// shape is a type that the generator knows the inside of.
type shape struct {
	decl   func(name string) string
	elem   *shape
	len    int
	fields []*shape
	names  []string
	union  bool
	char   bool
}

func (g *inits) shape(depth int) *shape {
	switch k := g.r.Intn(10); {
	case depth > 0 && k < 3:
		return g.array(depth)
	case depth > 0 && k < 7:
		return g.record(depth)
	case k == 7:
		n := 1 + g.r.Intn(6)
		return &shape{len: n, char: true, decl: func(name string) string { return fmt.Sprintf("char %s[%d]", name, n) }, elem: &shape{}}
	}
	t := []string{"int", "char", "short", "unsigned long long", "double", "float", "_Bool", "unsigned char", "_Complex float"}[g.r.Intn(9)]
	return &shape{decl: func(name string) string { return t + " " + name }}
}

func (g *inits) array(depth int) *shape {
	e := g.shape(depth - 1)
	n := 1 + g.r.Intn(4)
	return &shape{elem: e, len: n, decl: func(name string) string { return e.decl(fmt.Sprintf("%s[%d]", name, n)) }}
}

func (g *inits) record(depth int) *shape {
	g.n++
	s := &shape{union: g.r.Intn(4) == 0}
	word := "struct"
	if s.union {
		word = "union"
	}
	tag := fmt.Sprintf("%s S%d", word, g.n)
	var b strings.Builder
	fmt.Fprintf(&b, "%s { ", tag)
	for i := range 1 + g.r.Intn(4) {
		name := fmt.Sprintf("m%d", i)
		switch g.r.Intn(8) {
		case 0:
			fmt.Fprintf(&b, "unsigned %s : %d; ", name, 1+g.r.Intn(31))
			s.fields = append(s.fields, &shape{decl: func(n string) string { return "int " + n }})
		case 1:
			fmt.Fprintf(&b, "int : %d; ", g.r.Intn(5))
			continue
		case 2:
			a, c := fmt.Sprintf("a%d", i), fmt.Sprintf("b%d", i)
			fmt.Fprintf(&b, "%s { int %s; short %s; } ; ", []string{"struct", "union"}[g.r.Intn(2)], a, c)
			continue
		default:
			f := g.shape(depth - 1)
			fmt.Fprintf(&b, "%s; ", f.decl(name))
			s.fields = append(s.fields, f)
		}
		s.names = append(s.names, name)
	}
	if len(s.fields) == 0 {
		b.WriteString("int z; ")
		s.fields, s.names = append(s.fields, &shape{}), append(s.names, "z")
	}
	b.WriteString("};\n")
	g.b.WriteString(b.String())
	s.decl = func(name string) string { return tag + " " + name }
	return s
}

func (g *inits) value() string {
	return []string{"1", "-2", "3.5", "'x'", "200", "0", "77", "1e3", "0x12345678", "(char)9"}[g.r.Intn(10)]
}

func (g *inits) str() string {
	return []string{`"a"`, `"abc"`, `"hello"`, `""`, `"a" "b"`, `("xy")`, `"\1\xff\n"`, `{"q"}`}[g.r.Intn(8)]
}

// init returns an initialiser in braces.
func (g *inits) init(s *shape, depth int) string {
	if s.elem == nil && s.fields == nil {
		if g.r.Intn(6) == 0 {
			return "{" + g.value() + "}"
		}
		return g.value()
	}
	if s.char && g.r.Intn(2) == 0 {
		return g.str()
	}
	var items []string
	for range g.r.Intn(6) + 1 {
		switch g.r.Intn(4) {
		case 0:
			items = append(items, g.designated(s, depth))
		case 1:
			items = append(items, g.value())
		case 2:
			if sub := g.first(s); sub != nil && len(items) == 0 && (sub.elem != nil || sub.fields != nil) {
				items = append(items, g.init(sub, depth-1))
				continue
			}
			items = append(items, g.value())
		default:
			items = append(items, g.value())
		}
	}
	return "{ " + strings.Join(items, ", ") + " }"
}

func (g *inits) first(s *shape) *shape {
	if s.elem != nil {
		return s.elem
	}
	return nil
}

// designated returns an item with designators.
func (g *inits) designated(s *shape, depth int) string {
	d := ""
	for range 1 + g.r.Intn(3) {
		switch {
		case s.fields != nil:
			i := g.r.Intn(len(s.fields))
			d += "." + s.names[i]
			s = s.fields[i]
		case s.elem != nil:
			i := g.r.Intn(s.len)
			if g.r.Intn(4) == 0 {
				j := i + g.r.Intn(s.len-i)
				d += fmt.Sprintf("[%d ... %d]", i, j)
			} else {
				d += fmt.Sprintf("[%d]", i)
			}
			s = s.elem
		}
	}
	if d == "" {
		return g.value()
	}
	if s.elem == nil && s.fields == nil || g.r.Intn(2) == 0 {
		return d + " = " + g.init(s, depth-1)
	}
	return d + " = " + g.value()
}

// TestInitialisers compares the contents of initialised objects with gcc's.
func TestInitialisers(t *testing.T) {
	long.Only(t)
	n := 0
	for seed := range int64(6) {
		g := &inits{r: rand.New(rand.NewSource(seed))}
		for i := range 200 {
			s := g.shape(3)
			if s.elem == nil && s.fields == nil {
				continue
			}
			if s.elem != nil && !s.char && g.r.Intn(4) == 0 {
				fmt.Fprintf(&g.b, "%s = %s;\n", s.elem.decl(fmt.Sprintf(" v%d []", i)), g.init(s, 3))
				continue
			}
			fmt.Fprintf(&g.b, "%s = %s;\n", s.decl(fmt.Sprintf(" v%d ", i)), g.init(s, 3))
		}
		n += compareData(t, g.b.String(), command.Flags{})
	}
	t.Logf("%d objects", n)
}
