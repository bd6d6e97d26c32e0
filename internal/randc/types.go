package randc

import (
	"fmt"
	"strings"
)

// ctype is the type of an object: a number, a struct, a union or an array.
type ctype struct {
	num     *number
	name    string // of a struct or union, or a typedef name
	union   bool
	members []member
	elem    *ctype // of an array
	n       int

	size, align int  // in bytes; the size is an upper bound if exact is not set
	exact       bool // the size is known
	raw         bool // each byte belongs to integers for which it may be anything
	bools       bool // there is a _Bool somewhere
}

// member is a member of a struct or union.
type member struct {
	name  string // empty: anonymous
	t     *ctype
	width int // of a bit-field; -1: it is none
}

// scalar returns the type of objects of a number.
func scalar(n *number) *ctype {
	size := max(n.bits/8, 1)
	return &ctype{num: n, size: size, align: size, exact: true, raw: !n.float && !n.boolean, bools: n.boolean}
}

func array(elem *ctype, n int) *ctype {
	return &ctype{elem: elem, n: n, size: elem.size * n, align: elem.align, exact: elem.exact, raw: elem.raw, bools: elem.bools}
}

// declare returns the declaration of a name.
func (t *ctype) declare(name string) string {
	for ; t.elem != nil; t = t.elem {
		name += fmt.Sprintf("[%d]", t.n)
	}
	return t.spelling() + " " + name
}

// spelling returns the name of a type that is no array.
func (t *ctype) spelling() string {
	if t.num != nil {
		return t.num.name
	}
	return t.name
}

// typeName returns the type as it stands in a cast or sizeof.
func (t *ctype) typeName() string { return strings.TrimSuffix(t.declare(""), " ") }

// intType returns a type of integers.
func (g *gen) intType() *number {
	switch k := g.IntN(40); {
	case k == 0 && g.has&Int128 != 0:
		return g.pickNumber(int128, uint128)
	case k < 4 && len(g.enums) > 0:
		return g.enums[g.IntN(len(g.enums))].t
	case k < 12:
		return intType
	}
	return integers[g.IntN(len(integers))]
}

// numType returns the type of a number, floating ones included.
func (g *gen) numType() *number {
	if g.has&Floats != 0 && g.IntN(5) == 0 {
		return g.pickNumber(floatType, doubleType)
	}
	return g.intType()
}

// object returns a type for a variable or member.
func (g *gen) object(depth int) *ctype {
	switch k := g.IntN(12); {
	case k < 2 && len(g.structs) > 0 && depth > 0:
		return g.structs[g.IntN(len(g.structs))]
	case k < 4 && g.has&Arrays != 0 && depth > 0:
		return array(g.object(depth-1), 1+g.IntN(4))
	}
	return scalar(g.numType())
}

// anyStruct returns a struct type that exists, or makes one.
func (g *gen) anyStruct() *ctype {
	var of []*ctype
	for _, s := range g.structs {
		if !s.union {
			of = append(of, s)
		}
	}
	if len(of) == 0 {
		return g.structType(false)
	}
	return of[g.IntN(len(of))]
}

// structType declares a struct. A plain one has no bit-fields and no padding and only
// integers: all of its bytes may be anything.
func (g *gen) structType(plain bool) *ctype {
	tag := g.name("s")
	t := &ctype{name: "struct " + tag, align: 1, exact: true}
	packed := g.has&Packed != 0 && (plain || g.IntN(4) == 0)
	pack := 0
	if packed && g.IntN(3) == 0 {
		packed = false
		if pack = 1; !plain {
			pack = []int{1, 2, 4}[g.IntN(3)]
		}
	}
	body := g.membersOf(t, tag, plain, packed)
	t.layout(packed, pack)
	var attrs string
	if packed {
		attrs = " __attribute__((packed))"
		if !plain && g.has&Aligned != 0 && g.IntN(3) == 0 {
			attrs = " __attribute__((packed, aligned(4)))"
			t.exact, t.raw, t.align, t.size = false, false, max(t.align, 4), t.size+3
		}
	} else if !plain && g.has&Aligned != 0 && g.IntN(5) == 0 {
		attrs = fmt.Sprintf(" __attribute__((aligned(%d)))", []int{2, 8, 16}[g.IntN(3)])
		t.exact, t.raw, t.align, t.size = false, false, 16, t.size+15
	}
	if pack > 0 {
		g.top("#pragma pack(push, %d)\n", pack)
	}
	if g.IntN(4) == 0 {
		g.top("typedef struct {\n%s}%s %s_t;\n", body, attrs, tag)
		t.name = tag + "_t"
	} else {
		g.top("struct %s {\n%s}%s;\n", tag, body, attrs)
	}
	if pack > 0 {
		g.top("#pragma pack(pop)\n")
	}
	return t
}

// membersOf gives t members and returns their declarations.
func (g *gen) membersOf(t *ctype, tag string, plain, packed bool) string {
	var b strings.Builder
	inBits := false
	for i := range 2 + g.IntN(5) {
		m := member{name: fmt.Sprintf("m%d", i), t: g.object(1), width: -1}
		switch {
		case plain && g.has&Packed == 0: // nothing between members of the same size
			m.t = scalar(g.pickNumber(intType, uintType))
			if g.has&Arrays != 0 && g.chance(30) {
				m.t = array(m.t, 1+g.IntN(4))
			}
		case plain && !(m.t.raw && m.t.exact):
			m.t = scalar(g.pickNumber(intType, ucharType, longType, integers[4], integers[5]))
		case !plain && g.has&BitFields != 0 && (inBits && g.IntN(3) > 0 || g.IntN(5) == 0):
			m.t = scalar(g.intType())
			for m.t.num.bits == 128 {
				m.t = scalar(g.intType())
			}
			m.width = 1 + g.IntN(m.t.num.bits)
			inBits = true
			fmt.Fprintf(&b, "  %s %s : %d;\n", m.t.num.name, m.name, m.width)
			t.members = append(t.members, m)
			if g.IntN(6) == 0 {
				// A gap, or the next one begins a new unit.
				w := g.IntN(8)
				of := g.pick("int", "unsigned", "char", "long")
				fmt.Fprintf(&b, "  %s : %d;\n", of, w)
				t.members = append(t.members, member{t: scalar(longType), width: w})
			}
			continue
		case !plain && g.IntN(10) == 0:
			m.name = ""
			inner := "struct"
			if g.with(Unions, 50) {
				inner = "union"
			}
			t1, t2 := g.pickNumber(intType, uintType), g.pickNumber(uintType, intType)
			m.t = &ctype{union: inner == "union", exact: true, members: []member{{name: fmt.Sprintf("n%d_%s", i, tag), t: scalar(t1), width: -1},
				{name: fmt.Sprintf("o%d_%s", i, tag), t: scalar(t2), width: -1}}}
			m.t.layout(false, 0)
			fmt.Fprintf(&b, "  %s { %s; %s; };\n", inner, m.t.members[0].t.declare(m.t.members[0].name), m.t.members[1].t.declare(m.t.members[1].name))
			t.members = append(t.members, m)
			continue
		}
		inBits = false
		align := ""
		if !plain && !packed && g.has&Aligned != 0 && g.IntN(10) == 0 && m.t.align <= 8 {
			align = g.pick("_Alignas(8) ", "_Alignas(16) ", "__attribute__((aligned(8))) ")
			m.t = &ctype{num: m.t.num, name: m.t.name, union: m.t.union, members: m.t.members, elem: m.t.elem, n: m.t.n, size: m.t.size + 15, align: 16, bools: m.t.bools}
		}
		fmt.Fprintf(&b, "  %s%s;\n", align, m.t.declare(m.name))
		t.members = append(t.members, m)
	}
	return b.String()
}

// layout computes the size of a struct or union as far as that is needed.
func (t *ctype) layout(packed bool, pack int) {
	t.raw = !t.union || len(t.members) > 0
	offset := 0
	t.align = 1
	for _, m := range t.members {
		t.bools = t.bools || m.t.bools
		align := m.t.align
		if packed {
			align = 1
		}
		if pack > 0 {
			align = min(align, pack)
		}
		t.align = max(t.align, align)
		if m.width >= 0 {
			t.exact, t.raw = false, false
		}
		t.exact = t.exact && m.t.exact
		t.raw = t.raw && m.t.raw
		if t.union {
			if offset > 0 && offset != m.t.size {
				t.raw = false
			}
			offset = max(offset, m.t.size)
			continue
		}
		if offset%align != 0 {
			offset += align - offset%align
			t.raw = false
		}
		offset += m.t.size
		if !t.exact {
			offset += align
		}
	}
	if offset%t.align != 0 {
		offset += t.align - offset%t.align
		t.raw = false
	}
	t.size = offset
}

// unionType declares a union. Its first member covers all of it, and none of its
// members has a _Bool, which cannot have any byte as its value.
func (g *gen) unionType() *ctype {
	tag := g.name("u")
	t := &ctype{name: "union " + tag, union: true, align: 1, exact: true}
	var b strings.Builder
	size, align := 0, 1
	for i := range 2 + g.IntN(4) {
		m := member{name: fmt.Sprintf("m%d", i+1), t: g.object(2), width: -1}
		switch {
		case m.t.bools || m.t.size > 64:
			m.t = scalar(g.pickNumber(longType, uintType, integers[2], integers[5]))
		case g.has&BitFields != 0 && g.IntN(6) == 0:
			m.t = scalar(g.pickNumber(intType, uintType, longType, ulongType, charType, ucharType, integers[5]))
			m.width = 1 + g.IntN(m.t.num.bits)
		}
		if m.width >= 0 {
			fmt.Fprintf(&b, "  %s %s : %d;\n", m.t.num.name, m.name, m.width)
		} else {
			fmt.Fprintf(&b, "  %s;\n", m.t.declare(m.name))
		}
		size, align = max(size, m.t.size), max(align, m.t.align)
		t.members = append(t.members, m)
	}
	size = (size + align - 1) / align * align
	cover := array(scalar(ucharType), size)
	if size%4 == 0 && g.IntN(3) == 0 {
		cover = array(scalar(uintType), size/4)
	}
	t.members = append([]member{{name: "m0", t: cover, width: -1}}, t.members...)
	t.size, t.align, t.raw = size, align, true
	// Types with padding are never stored whole: see place.
	g.top("union %s {\n  %s;\n%s};\n", tag, cover.declare("m0"), b.String())
	return t
}

// enum is an enumeration.
type enum struct {
	t     *number
	names []string
	vals  []int64
}

// enumType declares an enumeration.
func (g *gen) enumType() {
	tag := g.name("e")
	e := &enum{t: &number{name: "enum " + tag, bits: 32, format: "u"}}
	var parts []string
	next := int64(0)
	for i := range 2 + g.IntN(4) {
		name := fmt.Sprintf("%s_%c", strings.ToUpper(tag), 'A'+i)
		text := name
		switch g.IntN(3) {
		case 0:
			next = int64(g.IntN(200) - 100)
			text += fmt.Sprintf(" = %d", next)
		case 1:
			if i > 0 && g.IntN(2) == 0 {
				k := g.IntN(len(e.vals))
				next = e.vals[k] + 2
				text += fmt.Sprintf(" = %s + 2", e.names[k])
			}
		}
		if next < 0 {
			e.t.signed, e.t.format = true, "d"
		}
		e.names, e.vals = append(e.names, name), append(e.vals, next)
		parts = append(parts, text)
		next++
	}
	g.enums = append(g.enums, e)
	g.top("enum %s { %s };\n", tag, strings.Join(parts, ", "))
}
