package cfront

import (
	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// logicalOf takes && and || apart.
func logicalOf(n cc.ExpressionNode) (l, r cc.ExpressionNode, and bool) {
	switch x := n.(type) {
	case *cc.LogicalAndExpression:
		return x.LogicalAndExpression, x.InclusiveOrExpression, true
	case *cc.LogicalOrExpression:
		return x.LogicalOrExpression, x.LogicalAndExpression, false
	}
	return nil, nil, false
}

// evalLogical evaluates && and || for their value.
func (b *lowerer) evalLogical(n cc.ExpressionNode) *value {
	l, r, and := logicalOf(n)
	if l == nil {
		return b.eval(r)
	}
	if v := b.asOneStep(n, func() *value { return b.logicalTerm(n, l, r, and) }); v != nil {
		return v
	}
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	t, f := b.branchLogical(n, l, r, and)
	return b.merged(n, flagValue{t, 1}, flagValue{f, 0})
}

// logicalTerm evaluates l && r or l || r as a term.
func (b *lowerer) logicalTerm(n, l, r cc.ExpressionNode, and bool) *value {
	lc, lv := b.condValue(l)
	if b.cur == nil {
		return lv
	}
	v := &value{kind: vInt, it: intT, src: n, rng: &interval{logic.IntValue(0), logic.IntValue(1)}}
	v.side = append(v.side, lv.side...)
	if lc.IsTrue() && !and || lc.IsFalse() && and {
		v.t = b.L.BoolToInt(lc)
		return v
	}
	rc, rv := b.condValue(r)
	guard, c := lc, b.L.And(lc, rc)
	if !and {
		guard, c = b.L.Not(lc), b.L.Or(lc, rc)
	}
	for _, s := range rv.side {
		v.side = append(v.side, b.L.Implies(guard, s))
	}
	v.t = b.L.BoolToInt(c)
	return v
}

// flagValue is a flow on which an expression has this value.
type flagValue struct {
	f *flow
	v int64
}

// merged lets flows meet that carry values of type int.
func (b *lowerer) merged(n cc.Node, fs ...flagValue) *value { return b.mergedAs(n, intT, fs...) }

// mergedAs lets flows meet that carry values of this type.
func (b *lowerer) mergedAs(n cc.Node, it ir.Type, fs ...flagValue) *value {
	var reached []flagValue
	for _, f := range fs {
		if f.f != nil {
			reached = append(reached, f)
		}
	}
	switch len(reached) {
	case 0:
		b.cur = nil
		return b.constInt(0, it)
	case 1:
		b.cur = reached[0].f
		return b.constInt(reached[0].v, it)
	}
	tmp := b.newTemp(it)
	var flows []*flow
	for _, f := range reached {
		b.cur = f.f
		b.emit(n, "", ir.AssignCmd(tmp, b.L.Int(f.v)))
		flows = append(flows, b.cur)
	}
	b.join(n, flows...)
	v := b.intValue(tmp.Sym, it)
	v.rng = rangeOf(reached)
	return v
}

// branch evaluates a condition and returns the flows on which it is true and
// false, nil for those that are impossible. The current flow ends.
func (b *lowerer) branch(n cc.ExpressionNode) (t, f *flow) {
	if b.cur == nil {
		return nil, nil
	}
	switch x := unparen(n).(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionNot {
			f, t = b.branch(x.CastExpression)
			return t, f
		}
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		if l, r, and := logicalOf(x); l != nil && !b.oneStep(x) {
			return b.branchLogical(n, l, r, and)
		}
	case *cc.ConstantExpression:
		return b.branch(x.ConditionalExpression)
	}
	c, v := b.condValue(n)
	return b.split(n, c, v)
}

func (b *lowerer) branchLogical(n, l, r cc.ExpressionNode, and bool) (t, f *flow) {
	b.settleAll()
	lt, lf := b.branch(l)
	if and {
		b.cur = lt
		rt, rf := b.branch(r)
		b.join(n, lf, rf)
		f, b.cur = b.cur, nil
		return rt, f
	}
	b.cur = lf
	rt, rf := b.branch(r)
	b.join(n, lt, rt)
	t, b.cur = b.cur, nil
	return t, rf
}

// split branches on a condition that belongs to the value v.
func (b *lowerer) split(n cc.Node, c *logic.Term, v *value) (t, f *flow) {
	if b.cur == nil {
		return nil, nil
	}
	if c.IsTrue() && len(v.side) == 0 {
		t, b.cur = b.cur, nil
		return t, nil
	}
	if c.IsFalse() && len(v.side) == 0 {
		f, b.cur = b.cur, nil
		return nil, f
	}
	b.settle(b.mentionsShared(append([]*logic.Term{c}, v.side...)...))
	start := b.cur
	side := b.sideCmds(v)
	text := b.condText(n)
	if !c.IsFalse() {
		b.cur = start.clone()
		b.emit(n, text, append(side[:len(side):len(side)], ir.AssumeCmd(c))...)
		b.refine(c)
		t = b.cur
	}
	if !c.IsTrue() {
		b.cur = start.clone()
		b.emit(n, "!("+text+")", append(side[:len(side):len(side)], ir.AssumeCmd(b.L.Not(c)))...)
		b.refine(b.L.Not(c))
		f = b.cur
	}
	b.cur = nil
	return t, f
}

// refine learns the values of local variables that a condition fixes.
func (b *lowerer) refine(c *logic.Term) {
	for _, k := range logic.Conjuncts(c) {
		if k.Op() != logic.OpEq || !k.Args()[0].IsVar() {
			continue
		}
		if v := b.varOf(k.Args()[0]); v != nil && v.Thread != ir.Shared {
			if c, ok := k.Args()[1].Const(); ok {
				b.cur.consts[v] = c
			}
		}
	}
}

// condText returns the text of a condition without parentheses around it.
func (b *lowerer) condText(n cc.Node) string {
	if e, ok := n.(cc.ExpressionNode); ok {
		return b.text(unparen(e))
	}
	return b.text(n)
}
