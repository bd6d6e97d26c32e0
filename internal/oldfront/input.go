package cfront

import (
	"regexp"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// conversion is one conversion of a format of scanf.
var conversion = regexp.MustCompile(`%(\*?)(\d*)(hh|h|ll|l|z|j|t|)(.)`)

// scanCall lowers scanf, and sscanf of a string from outside: some of the first
// conversions give their targets any values. The result is their number, or EOF.
func (b *lowerer) scanCall(c call) *value {
	at := 0
	if c.name != "scanf" {
		at = 1
	}
	b.want(c, at+1)
	types := b.scanTypes(c, c.args[at])
	b.want(c, at+1+len(types))
	var targets []*value
	mark := len(b.live)
	defer func() { b.letGo(mark) }()
	for i, a := range c.args {
		switch v := b.scanArg(c, i, at, a); {
		case b.cur == nil:
			return b.constInt(0, intT)
		case i > at:
			targets = append(targets, v)
			b.hold(v)
		}
	}
	b.settleAll()
	n := int64(len(types))
	count := b.input(c, intT, c.name, func(t *logic.Term) *logic.Term {
		return b.L.And(b.L.Le(b.L.Int(-1), t), b.L.Le(t, b.L.Int(n)))
	})
	b.hold(count)
	for i, it := range types {
		t, f := b.split(c.n, b.L.Lt(b.L.Int(int64(i)), count.t), count)
		if b.cur = t; t != nil {
			p := b.deref(c.n, targets[i], nil)
			if p.typ.kind != tInt || p.typ.it.Bits != it.Bits {
				b.fail(c.n, "unsupported: %s into a variable of another size", c.name)
			}
			b.store(c.n, p, b.input(c, p.typ.it, c.name), b.text(c.n))
		}
		b.join(c.n, b.cur, f)
	}
	return count
}

// scanArg evaluates the i-th argument of a call whose format is the one at.
func (b *lowerer) scanArg(c call, i, at int, a cc.ExpressionNode) *value {
	switch {
	case i == at, i < at && c.name == "fscanf":
		b.evalDrop(a)
		return nil
	}
	v := b.eval(a)
	if i < at && b.cur != nil && v.kind != vOutside {
		b.fail(c.n, "unsupported: sscanf of a string of the program")
	}
	return v
}

// scanTypes returns the types of what a format stores.
func (b *lowerer) scanTypes(c call, format cc.ExpressionNode) []ir.Type {
	s, ok := format.Value().(cc.StringValue)
	if !ok {
		b.fail(c.n, "unsupported: %s with a format that is not known here", c.name)
	}
	var out []ir.Type
	for _, m := range conversion.FindAllStringSubmatch(string(s), -1) {
		if m[4] == "%" && m[0] == "%%" {
			continue
		}
		bits, known := map[string]int{"": 32, "hh": 8, "h": 16, "l": b.ptrInt.Bits, "ll": 64, "z": b.ptrInt.Bits, "j": 64, "t": b.ptrInt.Bits}[m[3]]
		switch m[4] {
		case "d", "i", "u", "x", "X", "o":
			known = known && m[2] == ""
		case "c":
			known = m[2] == "" && m[3] == ""
			bits = 8
		default:
			known = false
		}
		if !known {
			b.fail(c.n, "unsupported: %s with %s", c.name, m[0])
		}
		if m[1] == "" {
			out = append(out, ir.Type{Bits: bits, Signed: true})
		}
	}
	return out
}

// getenvCall lowers getenv: a pointer from outside, also NULL.
func (b *lowerer) getenvCall(c call) *value {
	b.evalDropArgs(c.args)
	return &value{kind: vOutside, src: c.n}
}
