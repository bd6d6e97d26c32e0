package randc

import (
	"fmt"
	"strings"
)

// variable is an object that statements read and write.
type variable struct {
	text     string // the expression for it
	t        *ctype
	fixed    bool // it is not written
	span     span // what its values are, if that is less than its type's
	alias    bool // another variable may be the same object
	was      bool // fixed, outside of the function being written
	register bool // it has no address, or one of another type
}

// place is a part of a variable.
type place struct {
	text    string
	t       *ctype
	width   int  // of a bit-field; -1: it is none
	inUnion bool // its bytes may be anything
	of      *variable
}

// visible returns a variable for which ok holds.
func (g *gen) visible(ok func(*variable) bool) *variable {
	for range 8 {
		if len(g.vars) == 0 {
			return nil
		}
		// The later ones are nearer.
		i := g.IntN(len(g.vars))
		if g.IntN(2) == 0 {
			i = max(i, g.IntN(len(g.vars)))
		}
		if v := g.vars[i]; ok(v) {
			return v
		}
	}
	return nil
}

func writable(v *variable) bool { return !v.fixed }
func anything(*variable) bool   { return true }

// whole returns all of a variable.
func whole(v *variable) place { return place{text: v.text, t: v.t, width: -1, of: v} }

// index returns an index of an array of n elements.
func (g *gen) index(n int) string {
	if g.indexed > 1 || g.IntN(2) == 0 {
		return fmt.Sprint(g.IntN(n))
	}
	g.indexed++
	defer func() { g.indexed-- }()
	e := g.int(g.IntN(2))
	switch {
	case e.span.in(small(0, int64(n-1))):
		return e.s
	case n&(n-1) == 0:
		return g.binary(e, "&", expr{s: fmt.Sprint(n - 1), prec: precPrimary})
	case e.t.bits > 64:
		return fmt.Sprint(g.IntN(n))
	}
	return fmt.Sprintf("(%s)%s %% %d", g.pick("unsigned", "unsigned long", "unsigned char"), g.in(e, precUnary), n)
}

// step returns a part of p that is an element or member, or false if it has none.
func (g *gen) step(p place) (place, bool) {
	switch {
	case p.t.num != nil:
		return p, false
	case p.t.elem != nil:
		i := g.index(p.t.n)
		p.t = p.t.elem
		// A member of a packed struct may not be aligned as a pointer to it has to be.
		outer := g.has&Pointers != 0 && p.of != nil && p.text == p.of.text
		switch {
		case outer && g.IntN(8) == 0:
			p.text = fmt.Sprintf("(*(%s + %s))", p.text, paren(i))
		case outer && g.IntN(16) == 0:
			p.text = fmt.Sprintf("%s[%s]", paren(i), p.text)
		default:
			p.text = fmt.Sprintf("%s[%s]", p.text, i)
		}
		return p, true
	}
	m := p.t.members[g.IntN(len(p.t.members))]
	for m.name == "" && m.width >= 0 {
		m = p.t.members[g.IntN(len(p.t.members))]
	}
	p.inUnion = p.inUnion || p.t.union
	p.t, p.width = m.t, m.width
	switch {
	case m.name == "":
	case strings.HasPrefix(p.text, "(*") && !strings.ContainsAny(p.text[2:len(p.text)-1], "()*+[ ") && g.IntN(2) == 0:
		p.text = p.text[2:len(p.text)-1] + "->" + m.name
	default:
		p.text += "." + m.name
	}
	return p, true
}

// paren puts text into parentheses unless it is a number or a name.
func paren(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) {
		return "(" + s + ")"
	}
	return s
}

// leaf returns a number within p.
func (g *gen) leaf(p place) place {
	for {
		q, ok := g.step(p)
		if !ok {
			return p
		}
		p = q
	}
}

// number returns the type that p has as a value.
func (p place) number() *number {
	if p.width < 0 || p.t.num.boolean {
		return p.t.num
	}
	n := p.t.num
	if p.width == n.bits {
		return n
	}
	if p.width == 32 {
		if n.signed {
			return intType
		}
		return uintType
	}
	return &number{name: n.name, bits: p.width, signed: n.signed, rank: -1}
}

// value returns the value of a number.
func (g *gen) value(p place) expr {
	n := p.number()
	if n.float {
		if p.inUnion {
			return expr{s: g.finite(n) + "(" + p.text + ")", prec: precPrimary, t: n, most: limit}
		}
		return expr{s: p.text, prec: precPrimary, t: n, most: limit}
	}
	s := n.full()
	if p.of != nil && p.of.span.lo != nil && p.t == p.of.t {
		s = p.of.span
	}
	e := expr{s: p.text, prec: precPrimary, t: n, span: s, bits: p.width >= 0}
	if n.bits > 32 && n.bits < 64 && g.has&WideBitFields == 0 {
		return expr{s: "(" + p.t.num.name + ")" + p.text, prec: precUnary, t: p.t.num, span: s}
	}
	return e
}

// intLeaf returns an integer without operations.
func (g *gen) intLeaf() expr {
	if g.IntN(3) > 0 {
		for range 3 {
			v := g.visible(anything)
			if v == nil {
				break
			}
			if p := g.leaf(whole(v)); !p.t.num.float {
				return g.value(p)
			}
		}
	}
	return g.literal()
}

// literal returns a constant of an integer type.
func (g *gen) literal() expr {
	one := func(s string, t *number, v int64) expr {
		return expr{s: s, prec: precPrimary, t: t, span: small(v, v)}
	}
	switch k := g.IntN(16); {
	case k == 0:
		c := byte(' ' + 1 + g.IntN(94))
		if c == '\'' || c == '\\' {
			c = 'q'
		}
		return one("'"+string(c)+"'", intType, int64(c))
	case k == 1:
		esc := []struct {
			s string
			v int64
		}{{`'\n'`, 10}, {`'\t'`, 9}, {`'\0'`, 0}, {`'\377'`, -1}, {`'\x80'`, -128}, {`'\''`, 39}, {`'\\'`, 92}, {`'\a'`, 7}, {`'\e'`, 27}, {`'ab'`, 24930}, {`'\17a'`, 0xf61}}
		e := esc[g.IntN(len(esc))]
		return one(e.s, intType, e.v)
	case k == 2 && len(g.enums) > 0:
		e := g.enums[g.IntN(len(g.enums))]
		i := g.IntN(len(e.names))
		return one(e.names[i], intType, e.vals[i])
	case k == 3 && g.has&Sizes != 0:
		return g.sizeOf()
	case k == 4:
		g.include("limits.h")
		lim := []struct {
			s string
			t *number
			v int64
		}{{"INT_MAX", intType, 1<<31 - 1}, {"INT_MIN", intType, -1 << 31}, {"LONG_MAX", longType, 1<<63 - 1}, {"LONG_MIN", longType, -1 << 63},
			{"UINT_MAX", uintType, 1<<32 - 1}, {"SHRT_MIN", intType, -1 << 15}, {"CHAR_MIN", intType, -128}, {"UCHAR_MAX", intType, 255}, {"CHAR_BIT", intType, 8}}
		l := lim[g.IntN(len(lim))]
		e := one(l.s, l.t, l.v)
		e.prec = precPrimary
		return e
	}
	v := int64(g.IntN(20))
	switch g.IntN(6) {
	case 0:
		v = g.Int64() >> g.IntN(64)
	case 1:
		v = int64(1)<<g.IntN(62) - int64(g.IntN(3))
	case 2:
		v = int64(g.IntN(1000))
	}
	if g.IntN(4) == 0 {
		v = -v
	}
	s, t := g.constant(v)
	e := one(s, t, v)
	if v < 0 {
		e.prec = precUnary
		if wraps(s, t) {
			e.span.lo = t.full().lo
			e.span.lo = e.span.lo.Add(pow(t.bits), e.span.hi)
			e.span.hi = e.span.lo
		}
	}
	return e
}

// sizeOf returns the size or alignment of something, which is not known here.
func (g *gen) sizeOf() expr {
	t := g.object(2)
	s := "sizeof(" + t.typeName() + ")"
	switch g.IntN(4) {
	case 0:
		s = g.pick("_Alignof", "__alignof__") + "(" + t.typeName() + ")"
	case 1:
		if v := g.visible(anything); v != nil && g.indexed == 0 {
			s = g.pick("sizeof "+paren(v.text), "sizeof(char["+fmt.Sprint(1+g.IntN(20))+"])", "sizeof \"abc\\0d\"", "sizeof 'a'", "sizeof(1 ? 0 : 'a')")
		}
	}
	return expr{s: s, prec: precUnary, t: ulongType, span: small(1, 1<<12)}
}
