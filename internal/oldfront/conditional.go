package cfront

import (
	"comus/ir"

	"modernc.org/cc/v4"
)

// evalConditional evaluates c ? x : y.
func (b *lowerer) evalConditional(x *cc.ConditionalExpression) *value {
	if v := b.asOneStep(x, func() *value { return b.selectTerm(x) }); v != nil {
		return v
	}
	if x.ExpressionList == nil {
		return b.evalElvis(x)
	}
	b.settleAll()
	t, f := b.branch(x.LogicalOrExpression)
	arm := func(at *flow, n cc.ExpressionNode) (*flow, *value) {
		if b.cur = at; at == nil {
			return nil, nil
		}
		v := b.arm(x, n)
		return b.cur, v
	}
	t, tv := arm(t, x.ExpressionList)
	f, fv := arm(f, x.ConditionalExpression)
	return b.mergeValues(x, t, tv, f, fv)
}

// evalElvis evaluates GNU's c ?: y, in which c is evaluated once.
func (b *lowerer) evalElvis(x *cc.ConditionalExpression) *value {
	b.settleAll()
	v := b.eval(x.LogicalOrExpression)
	if b.cur == nil {
		return v
	}
	if v.kind == vVoid || v.kind == vAgg {
		b.fail(x, "unsupported: ?: without a second operand, of this type")
	}
	if v.kind != vInt {
		v = b.mustAddress(x, v)
	}
	b.materialise(v)
	t, f := b.split(x, b.truth(x, v), v)
	var tv, fv *value
	if b.cur = t; t != nil {
		tv = b.armOf(x, v)
		t = b.cur
	}
	if b.cur = f; f != nil {
		fv = b.arm(x, x.ConditionalExpression)
		f = b.cur
	}
	return b.mergeValues(x, t, tv, f, fv)
}

// arm evaluates the second or third operand of ?: and converts it to the type of
// the whole, which depends on both.
func (b *lowerer) arm(x *cc.ConditionalExpression, n cc.ExpressionNode) *value {
	return b.armOf(x, b.eval(n))
}

// armOf converts the value of an operand of ?: to the type of the whole.
func (b *lowerer) armOf(x *cc.ConditionalExpression, v *value) *value {
	if v.kind != vInt || b.cur == nil {
		return v
	}
	switch t := b.typeOf(x.Type(), nil); t.kind {
	case tFloat:
		return &value{kind: vFloat, src: x}
	case tInt:
		return b.convert(x, v, b.armType(x, v, t.it))
	case tPtr:
		return b.convert(x, v, b.ptrInt)
	case tVoid:
		return &value{kind: vVoid, src: x}
	}
	return v
}

// armType returns the type of ?: where cc says t, which is int for an enumeration even
// if that is unsigned; v is one of the operands.
func (b *lowerer) armType(x *cc.ConditionalExpression, v *value, t ir.Type) ir.Type {
	if t != intT {
		return t
	}
	u := ir.Type{Bits: t.Bits}
	if unsignedEnum(x.ConditionalExpression.Type()) || x.ExpressionList != nil && unsignedEnum(x.ExpressionList.Type()) {
		return u
	}
	if v.it == u {
		b.fail(x, "unsupported: ?: with an operand computed from an enumeration")
	}
	return t
}

// mergeValues lets two flows meet that carry values of the same type.
func (b *lowerer) mergeValues(n cc.Node, t *flow, tv *value, f *flow, fv *value) *value {
	switch {
	case t == nil && f == nil:
		b.cur = nil
		return &value{kind: vUnknown, src: n}
	case t == nil:
		b.cur = f
		return fv
	case f == nil:
		b.cur = t
		return tv
	case tv.kind == vVoid || fv.kind == vVoid:
		b.join(n, t, f)
		return &value{kind: vVoid}
	case tv.kind != vInt || fv.kind != vInt || tv.it != fv.it:
		if sameValue(tv, fv) {
			b.join(n, t, f)
			return tv
		}
		if tv.kind == vAgg && fv.kind == vAgg {
			return b.mergeStructs(n, t, tv, f, fv)
		}
		if tv.kind == vAgg || fv.kind == vAgg {
			b.fail(n, "unsupported: struct chosen by ?:")
		}
		ta, fa, ok := b.addresses2(n, t, tv, f, fv)
		if !ok {
			b.join(n, t, f)
			return &value{kind: vUnknown, src: n}
		}
		tv, fv = ta, fa
	}
	tmp := b.newTemp(tv.it)
	var flows []*flow
	for _, s := range []struct {
		f *flow
		v *value
	}{{t, tv}, {f, fv}} {
		b.cur = s.f
		mark := b.hold(s.v)
		b.settle(b.pending(s.v))
		b.letGo(mark)
		b.emitValue(n, b.text(n), s.v, ir.AssignCmd(tmp, s.v.t))
		flows = append(flows, b.cur)
	}
	b.join(n, flows...)
	v := b.intValue(tmp.Sym, tv.it)
	v.to = eitherOf(tv, fv)
	return v
}

// mergeStructs lets two flows meet that carry structs: each is copied to one temporary.
func (b *lowerer) mergeStructs(n cc.Node, t *flow, tv *value, f *flow, fv *value) *value {
	o := b.newTempObject(tv.pl.typ)
	b.cur = t
	b.copyStruct(n, o.whole(), tv, b.text(n))
	t, b.cur = b.cur, f
	b.copyStruct(n, o.whole(), fv, b.text(n))
	b.join(n, t, b.cur)
	return &value{kind: vAgg, pl: o.whole(), src: n}
}

// addresses2 returns pointers that two flows carry as integers.
func (b *lowerer) addresses2(n cc.Node, t *flow, tv *value, f *flow, fv *value) (ta, fa *value, ok bool) {
	at := b.cur
	defer func() { b.cur = at }()
	b.cur = t
	ta, ok1 := b.address(n, tv)
	b.cur = f
	fa, ok2 := b.address(n, fv)
	if !ok1 || !ok2 {
		return nil, nil, false
	}
	return b.convert(n, ta, b.ptrInt), b.convert(n, fa, b.ptrInt), true
}

// selectTerm evaluates c ? x : y as a term, or returns nil.
func (b *lowerer) selectTerm(x *cc.ConditionalExpression) *value {
	c, cv := b.condValue(x.LogicalOrExpression)
	if b.cur == nil {
		return cv
	}
	if len(cv.side) == 0 && c.IsTrue() {
		return b.arm(x, x.ExpressionList)
	}
	if len(cv.side) == 0 && c.IsFalse() {
		return b.arm(x, x.ConditionalExpression)
	}
	tv, fv := b.arm(x, x.ExpressionList), b.arm(x, x.ConditionalExpression)
	if tv.kind != vInt || fv.kind != vInt || tv.it != fv.it {
		if sameValue(tv, fv) && len(cv.side) == 0 {
			return tv
		}
		return nil
	}
	v := &value{kind: vInt, it: tv.it, t: b.L.Ite(c, tv.t, fv.t), src: x, to: eitherOf(tv, fv)}
	if l, r := tv.bounds(), fv.bounds(); true {
		v.rng = &interval{l.lo, r.hi}
		if r.lo.Cmp(l.lo) < 0 {
			v.rng.lo = r.lo
		}
		if l.hi.Cmp(r.hi) > 0 {
			v.rng.hi = l.hi
		}
	}
	v.side = append(v.side, cv.side...)
	for _, s := range tv.side {
		v.side = append(v.side, b.L.Implies(c, s))
	}
	for _, s := range fv.side {
		v.side = append(v.side, b.L.Or(c, s))
	}
	return v
}
