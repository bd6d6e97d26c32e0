package specialise

import (
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

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
func (b *builder) wrap(t *logic.Term, lo, hi logic.Value, to ir.Type) *logic.Term {
	L := b.L
	min, max := to.Range()
	if min.Cmp(lo) <= 0 && hi.Cmp(max) <= 0 {
		return t
	}
	if c, ok := t.Const(); ok {
		return L.Value(wrapConst(c, to))
	}
	m := pow2(to.Bits)
	if lo.Cmp(min.Sub(m)) >= 0 && hi.Cmp(max.Add(m)) <= 0 {
		r := t
		if hi.Cmp(max) > 0 {
			r = L.Ite(L.Gt(t, L.Value(max)), L.Sub(t, L.Value(m)), r)
		}
		if lo.Cmp(min) < 0 {
			r = L.Ite(L.Lt(t, L.Value(min)), L.Add(t, L.Value(m)), r)
		}
		return r
	}
	if !to.Signed {
		return L.Mod(t, L.Value(m))
	}
	half := L.Value(max.Add(logic.IntValue(1)))
	return L.Sub(L.Mod(L.Add(t, half), L.Value(m)), half)
}

// toInt converts an integer (or a pointer's address) to an integer type.
func (b *builder) toInt(v *value, to cir.Type) *value {
	if v.typ == to {
		return v
	}
	w := *v
	w.typ, w.rng = to, nil
	if to == cir.Bool {
		w.t, w.at = b.L.BoolToInt(b.L.IntToBool(v.t)), nil
		return &w
	}
	it := irType(to)
	if c, ok := v.t.Const(); ok {
		w.t = b.L.Value(wrapConst(c, it))
		return &w
	}
	r := v.bounds()
	w.t = b.wrap(v.t, r.lo, r.hi, it)
	if it.Contains(r.lo) && it.Contains(r.hi) {
		w.rng = &r
	} else {
		w.at = nil
	}
	return &w
}

// result makes the value of an operation on operands.
func (b *builder) result(t cir.Type, ops ...*value) *value {
	v := &value{typ: t, site: b.site}
	for _, x := range ops {
		v.side = append(v.side, x.side...)
	}
	return v
}

// binary computes l op r for integers of one type.
func (b *builder) binary(op cir.Op, l, r *value, wrap bool) *value {
	v := b.result(l.typ, l, r)
	L := b.L
	switch op {
	case cir.And, cir.Or, cir.Xor:
		b.bitwise(op, l, r, v)
		return v
	case cir.Shl, cir.Shr:
		return b.shift(op == cir.Shl, l, r, wrap)
	case cir.Div, cir.Rem:
		b.divide(op == cir.Div, l, r, v, wrap)
		return v
	}
	lb, rb := l.bounds(), r.bounds()
	var lo, hi logic.Value
	switch op {
	case cir.Add:
		v.t, lo, hi = L.Add(l.t, r.t), lb.lo.Add(rb.lo), lb.hi.Add(rb.hi)
	case cir.Sub:
		v.t, lo, hi = L.Sub(l.t, r.t), lb.lo.Sub(rb.hi), lb.hi.Sub(rb.lo)
	default:
		v.t = L.Mul(l.t, r.t)
		lo, hi = product(lb, rb)
	}
	b.fit(v, lo, hi, wrap)
	return v
}

// product bounds the product of two values.
func product(x, y interval) (lo, hi logic.Value) {
	ps := []logic.Value{x.lo.Mul(y.lo), x.lo.Mul(y.hi), x.hi.Mul(y.lo), x.hi.Mul(y.hi)}
	return slices.MinFunc(ps, logic.Value.Cmp), slices.MaxFunc(ps, logic.Value.Cmp)
}

// fit makes a result between lo and hi fit its type: it wraps around if the type
// is unsigned or wrap is set, else as the overflow option says.
func (b *builder) fit(v *value, lo, hi logic.Value, wrap bool) {
	it := irType(v.typ)
	if it.Contains(lo) && it.Contains(hi) {
		v.rng = &interval{lo, hi}
		return
	}
	if !it.Signed || wrap || b.opts.Overflow == OverflowWrap {
		v.t = b.wrap(v.t, lo, hi, it)
		return
	}
	ok := b.L.True()
	min, max := it.Range()
	if lo.Cmp(min) < 0 {
		ok = b.L.And(ok, b.L.Le(b.L.Value(min), v.t))
	}
	if hi.Cmp(max) > 0 {
		ok = b.L.And(ok, b.L.Le(v.t, b.L.Value(max)))
	}
	b.mustHold(v, ok)
}

// mustHold makes it an error that a value overflows, which it does unless ok holds, or assumes that it does not.
func (b *builder) mustHold(v *value, ok *logic.Term) {
	b.hasMeaning(v, ok, "signed overflow", assumeOverflow)
}

// hasMeaning makes it an error that an operation has no meaning, which it has if ok holds, or assumes that it has.
func (b *builder) hasMeaning(v *value, ok *logic.Term, what, assumption string) {
	if ok.IsTrue() {
		return
	}
	if !b.opts.Check.Overflow {
		b.assume(assumption)
	} else {
		b.errorIf(Overflows, what+" in "+b.text(), b.L.Not(ok), v.side)
	}
	v.side = append(v.side, ok)
}

// divide computes l / r or l % r.
func (b *builder) divide(div bool, l, r, v *value, wrap bool) {
	L := b.L
	signed := v.typ.Signed
	b.hasMeaning(v, L.Ne(r.t, L.Int(0)), "division by zero", assumeDivision)
	switch {
	case div && !signed:
		v.t = L.Div(l.t, r.t)
	case div:
		v.t = L.TruncDiv(l.t, r.t)
	case !signed:
		v.t = L.Mod(l.t, r.t)
	default:
		v.t = L.TruncMod(l.t, r.t)
	}
	if !signed {
		return
	}
	// INT_MIN / -1 overflows; INT_MIN % -1 is undefined for the same reason, whatever -fwrapv says: the
	// processor traps.
	min, _ := irType(v.typ).Range()
	ok := L.Or(L.Ne(l.t, L.Value(min)), L.Ne(r.t, L.Int(-1)))
	switch {
	case ok.IsTrue():
	case b.opts.Overflow == OverflowWrap || wrap:
		b.assume(assumeTrap)
		v.side = append(v.side, ok)
	default:
		b.mustHold(v, ok)
	}
}

// unary computes op v for an integer.
func (b *builder) unary(op cir.Op, v *value, wrap bool) *value {
	switch op {
	case cir.Neg:
		return b.binary(cir.Sub, b.constVal(v.typ, 0), v, wrap)
	case cir.Not:
		top := logic.IntValue(-1)
		if !v.typ.Signed {
			_, top = irType(v.typ).Range()
		}
		r := v.bounds()
		w := b.result(v.typ, v)
		w.t, w.rng = b.L.Sub(b.L.Value(top), v.t), &interval{top.Sub(r.hi), top.Sub(r.lo)}
		return w
	}
	return b.countBits(op, v)
}

// compare computes l pred r for integers or addresses.
func (b *builder) compare(pred cir.Pred, l, r *value) *value {
	L := b.L
	if l.typ.IsPointer() && l.typ.Bits == 64 && pred != cir.Eq && pred != cir.Ne && !sameObject(l, r) {
		l, r = b.unsignedAddress(l), b.unsignedAddress(r)
	}
	var c *logic.Term
	switch pred {
	case cir.Lt:
		c = L.Lt(l.t, r.t)
	case cir.Gt:
		c = L.Gt(l.t, r.t)
	case cir.Le:
		c = L.Le(l.t, r.t)
	case cir.Ge:
		c = L.Ge(l.t, r.t)
	case cir.Eq:
		c = L.Eq(l.t, r.t)
	default:
		c = L.Ne(l.t, r.t)
	}
	v := b.condValue(c, l.side, r.side)
	v.site = b.site
	return v
}

// unsignedAddress returns a pointer's address as what is compared: as gcc does, those above 2^63 are the greatest.
func (b *builder) unsignedAddress(p *value) *value {
	if p.at != nil {
		return p
	}
	w := *p
	w.typ = cir.I64
	return b.toInt(&w, cir.U64)
}

// choose computes c ? x : y.
func (b *builder) choose(c, x, y *value) *value {
	cond := b.truth(c)
	switch {
	case cond.IsTrue():
		w := *x
		w.side = slices.Concat(c.side, x.side)
		return &w
	case cond.IsFalse():
		w := *y
		w.side = slices.Concat(c.side, y.side)
		return &w
	}
	v := b.result(x.typ, c)
	v.t = b.L.Ite(cond, x.t, y.t)
	for _, s := range x.side {
		v.side = append(v.side, b.L.Implies(cond, s))
	}
	for _, s := range y.side {
		v.side = append(v.side, b.L.Or(cond, s))
	}
	p, q := x.bounds(), y.bounds()
	v.rng = &interval{slices.MinFunc([]logic.Value{p.lo, q.lo}, logic.Value.Cmp), slices.MaxFunc([]logic.Value{p.hi, q.hi}, logic.Value.Cmp)}
	return v
}

// overflowing computes l op r in infinite precision and whether converting it to a type changes it.
func (b *builder) overflowing(op cir.Op, l, r *value, to cir.Type) (v, over *value) {
	L := b.L
	lb, rb := l.bounds(), r.bounds()
	var t *logic.Term
	var lo, hi logic.Value
	switch op {
	case cir.Add:
		t, lo, hi = L.Add(l.t, r.t), lb.lo.Add(rb.lo), lb.hi.Add(rb.hi)
	case cir.Sub:
		t, lo, hi = L.Sub(l.t, r.t), lb.lo.Sub(rb.hi), lb.hi.Sub(rb.lo)
	default:
		t = L.Mul(l.t, r.t)
		lo, hi = product(lb, rb)
	}
	it := irType(to)
	v = b.result(to, l, r)
	v.t = b.wrap(t, lo, hi, it)
	min, max := it.Range()
	out := L.False()
	if lo.Cmp(min) < 0 {
		out = L.Or(out, L.Lt(t, L.Value(min)))
	}
	if hi.Cmp(max) > 0 {
		out = L.Or(out, L.Gt(t, L.Value(max)))
	}
	return v, b.condValue(out, l.side, r.side)
}
