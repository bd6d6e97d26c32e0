package cfront

import (
	"math/big"
	"slices"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

func pow2(n int) logic.Value { return logic.BigValue(new(big.Int).Lsh(big.NewInt(1), uint(n))) }

// convert converts an integer to another integer type.
func (b *lowerer) convert(n cc.Node, v *value, to ir.Type) *value {
	if v.kind != vInt {
		b.fail(n, "unsupported: pointer converted to an integer")
	}
	if v.it == to {
		return v
	}
	w := *v
	w.it = to
	if to == ir.Flag {
		w.t, w.rng = b.L.BoolToInt(b.L.IntToBool(v.t)), nil
		return &w
	}
	if c, ok := v.t.Const(); ok {
		w.t, w.rng = b.L.Value(wrapConst(c, to)), nil
		return &w
	}
	r := v.bounds()
	w.t = b.wrap(v.t, r.lo, r.hi, to)
	w.rng = nil
	if to.Contains(r.lo) && to.Contains(r.hi) {
		w.rng = &r
	}
	return &w
}

// wrapConst reduces a constant to a type.
func wrapConst(c logic.Value, to ir.Type) logic.Value {
	if to.Contains(c) {
		return c
	}
	m := pow2(to.Bits)
	_, r := c.DivMod(m)
	if _, hi := to.Range(); r.Cmp(hi) > 0 {
		r = r.Sub(m)
	}
	return r
}

// wrap reduces a term whose value is between lo and hi to a type, modulo two to
// the number of bits.
func (b *lowerer) wrap(t *logic.Term, lo, hi logic.Value, to ir.Type) *logic.Term {
	L := b.L
	min, max := to.Range()
	if min.Cmp(lo) <= 0 && hi.Cmp(max) <= 0 {
		return t
	}
	if c, ok := t.Const(); ok {
		return L.Value(wrapConst(c, to))
	}
	m := pow2(to.Bits)
	tooHigh, tooLow := L.Gt(t, L.Value(max)), L.Lt(t, L.Value(min))
	if lo.Cmp(min.Sub(m)) >= 0 && hi.Cmp(max.Add(m)) <= 0 {
		r := t
		if hi.Cmp(max) > 0 {
			r = L.Ite(tooHigh, L.Sub(t, L.Value(m)), r)
		}
		if lo.Cmp(min) < 0 {
			r = L.Ite(tooLow, L.Add(t, L.Value(m)), r)
		}
		return r
	}
	if !to.Signed {
		return L.Mod(t, L.Value(m))
	}
	half := L.Value(max.Add(logic.IntValue(1)))
	return L.Sub(L.Mod(L.Add(t, half), L.Value(m)), half)
}

// arith computes l op r in the type of both after the usual conversions. op is
// '+', '-', '*', '/', '%', '&', '|', '^'.
func (b *lowerer) arith(n cc.Node, op rune, l, r *value) *value {
	it := usual(l.it, r.it)
	l, r = b.convert(n, l, it), b.convert(n, r, it)
	v := &value{kind: vInt, it: it, src: n, to: union(l.to, r.to)}
	v.side = append(append(v.side, l.side...), r.side...)
	if v.to.has(toObject) && (op == '*' || op == '/' || op == '%') {
		b.assume(assumeLayout)
	}
	L := b.L
	switch op {
	case '&', '|', '^':
		b.bitwise(op, l, r, v)
		return v
	case '/', '%':
		b.divide(n, op, l, r, v)
		return v
	}
	lb, rb := l.bounds(), r.bounds()
	var lo, hi logic.Value
	switch op {
	case '+':
		v.t, lo, hi = L.Add(l.t, r.t), lb.lo.Add(rb.lo), lb.hi.Add(rb.hi)
	case '-':
		v.t, lo, hi = L.Sub(l.t, r.t), lb.lo.Sub(rb.hi), lb.hi.Sub(rb.lo)
	default:
		v.t = L.Mul(l.t, r.t)
		lo, hi = product(lb, rb)
	}
	b.fit(n, v, lo, hi)
	return v
}

// product bounds the product of two values.
func product(x, y interval) (lo, hi logic.Value) {
	ps := []logic.Value{x.lo.Mul(y.lo), x.lo.Mul(y.hi), x.hi.Mul(y.lo), x.hi.Mul(y.hi)}
	return slices.MinFunc(ps, logic.Value.Cmp), slices.MaxFunc(ps, logic.Value.Cmp)
}

// fit makes a result between lo and hi fit its type: it wraps around if the type
// is unsigned, else as the overflow option says.
func (b *lowerer) fit(n cc.Node, v *value, lo, hi logic.Value) {
	if v.it.Contains(lo) && v.it.Contains(hi) {
		v.rng = &interval{lo, hi}
		return
	}
	if !v.it.Signed || b.opts.Overflow == OverflowWrap {
		v.t = b.wrap(v.t, lo, hi, v.it)
		return
	}
	ok := b.L.True()
	min, max := v.it.Range()
	if lo.Cmp(min) < 0 {
		ok = b.L.And(ok, b.L.Le(b.L.Value(min), v.t))
	}
	if hi.Cmp(max) > 0 {
		ok = b.L.And(ok, b.L.Le(v.t, b.L.Value(max)))
	}
	if ok.IsTrue() {
		return
	}
	if b.opts.Overflow == OverflowAssume {
		b.assume(assumeOverflow)
		v.side = append(v.side, ok)
		return
	}
	b.check(n, v, ok)
}

// check makes it an error that ok does not hold for the value v.
func (b *lowerer) check(n cc.Node, v *value, ok *logic.Term) {
	if b.cur == nil {
		return
	}
	// The value's operands have been settled (see operands), so its term reads
	// no shared variable unless we are in an atomic section.
	bad := append(b.sideCmds(v), ir.AssumeCmd(b.L.Not(ok)))
	b.errorEdge(n, "signed overflow in "+b.text(n), bad...)
	v.side = append(v.side, ok)
}

// divide computes l / r or l % r.
func (b *lowerer) divide(n cc.Node, op rune, l, r, v *value) {
	L := b.L
	if nz := L.Ne(r.t, L.Int(0)); !nz.IsTrue() {
		b.assume(assumeDivision)
		v.side = append(v.side, nz)
	}
	switch {
	case op == '/' && !v.it.Signed:
		v.t = L.Div(l.t, r.t)
	case op == '/':
		v.t = L.TruncDiv(l.t, r.t)
	case !v.it.Signed:
		v.t = L.Mod(l.t, r.t)
	default:
		v.t = L.TruncMod(l.t, r.t)
	}
	if !v.it.Signed {
		return
	}
	// INT_MIN / -1 overflows; INT_MIN % -1 is undefined for the same reason.
	min, _ := v.it.Range()
	ok := L.Or(L.Ne(l.t, L.Value(min)), L.Ne(r.t, L.Int(-1)))
	switch {
	case ok.IsTrue():
	case b.opts.Overflow == OverflowAssume:
		b.assume(assumeOverflow)
		v.side = append(v.side, ok)
	case b.opts.Overflow == OverflowCheck:
		b.check(n, v, ok)
	case op == '/':
		v.t = L.Ite(ok, v.t, L.Value(min))
	}
}

// negate computes -v.
func (b *lowerer) negate(n cc.Node, v *value) *value {
	return b.arith(n, '-', b.constInt(0, promote(v.it)), v)
}

// complement computes ~v.
func (b *lowerer) complement(n cc.Node, v *value) *value {
	v = b.convert(n, v, promote(v.it))
	top := logic.IntValue(-1)
	if !v.it.Signed {
		_, top = v.it.Range()
	}
	r := v.bounds()
	return &value{
		kind: vInt, it: v.it, src: n, side: v.side, to: v.to,
		t:   b.L.Sub(b.L.Value(top), v.t),
		rng: &interval{top.Sub(r.hi), top.Sub(r.lo)},
	}
}

// compare computes l op r for integers; op is one of < > <= >= == !=.
func (b *lowerer) compare(n cc.Node, op string, l, r *value) *value {
	it := usual(l.it, r.it)
	l, r = b.convert(n, l, it), b.convert(n, r, it)
	v := &value{kind: vInt, it: intT, src: n}
	v.side = append(append(v.side, l.side...), r.side...)
	L := b.L
	var c *logic.Term
	switch op {
	case "<":
		c = L.Lt(l.t, r.t)
	case ">":
		c = L.Gt(l.t, r.t)
	case "<=":
		c = L.Le(l.t, r.t)
	case ">=":
		c = L.Ge(l.t, r.t)
	case "==":
		c = L.Eq(l.t, r.t)
	default:
		c = L.Ne(l.t, r.t)
	}
	v.t = L.BoolToInt(c)
	v.rng = &interval{logic.IntValue(0), logic.IntValue(1)}
	return v
}

// truth returns the condition that a value is not zero.
func (b *lowerer) truth(n cc.Node, v *value) *logic.Term {
	switch v.kind {
	case vInt:
		return b.L.IntToBool(v.t)
	case vFloat:
		b.fail(n, "unsupported: floating point")
	case vFunc, vStr:
		return b.L.True()
	case vPtr:
		if !v.maybeNull {
			return b.L.True()
		}
	}
	if b.cur == nil {
		return b.L.True()
	}
	if a, ok := b.address(n, v); ok && v.kind != vVoid && v.kind != vAgg {
		if len(a.side) > 0 {
			b.materialise(a)
		}
		return b.L.IntToBool(a.t)
	}
	b.fail(n, "unsupported: pointer used as a condition whose target is not known here")
	return nil
}
