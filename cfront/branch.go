package cfront

import (
	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// impure is the cost of an expression that cannot be a term.
const impure = 1000

// cost returns the number of shared reads of an expression that can be evaluated
// as one term, in one step, or at least impure.
func (b *lowerer) cost(n cc.ExpressionNode) int {
	switch x := n.(type) {
	case nil:
		return 0
	case *cc.PrimaryExpression:
		return b.costPrimary(x)
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionPrimary:
			return b.cost(x.PrimaryExpression)
		case cc.PostfixExpressionIndex:
			i := b.cost(x.ExpressionList)
			if i > 0 {
				return impure
			}
			return b.cost(x.PostfixExpression)
		case cc.PostfixExpressionSelect:
			return b.cost(x.PostfixExpression)
		}
		return impure
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionPostfix:
			return b.cost(x.PostfixExpression)
		case cc.UnaryExpressionPlus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
			return b.cost(x.CastExpression)
		case cc.UnaryExpressionMinus:
			return b.cost(x.CastExpression) + b.checkCost()
		case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType:
			return 0
		}
		return impure
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionUnary {
			return b.cost(x.UnaryExpression)
		}
		return b.cost(x.CastExpression)
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionLOr {
			return b.cost(x.LogicalOrExpression)
		}
		if x.ExpressionList == nil {
			return impure
		}
		return b.cost(x.LogicalOrExpression) + b.cost(x.ExpressionList) + b.cost(x.ConditionalExpression)
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		l, r, _ := logicalOf(n)
		return b.cost(l) + b.cost(r)
	case *cc.ExpressionList:
		if x.ExpressionList != nil {
			return impure
		}
		return b.cost(x.AssignmentExpression)
	case *cc.ConstantExpression:
		return b.cost(x.ConditionalExpression)
	case *cc.AssignmentExpression:
		if x.Case == cc.AssignmentExpressionCond {
			return b.cost(x.ConditionalExpression)
		}
		return impure
	}
	if op, l, r, ok := binaryOf(n); ok {
		c := b.cost(l) + b.cost(r)
		switch op {
		case "+", "-", "*", "/", "%", "<<":
			c += b.checkCost()
		}
		return c
	}
	return impure
}

// checkCost is the cost of an operation that overflow checks may branch at.
func (b *lowerer) checkCost() int {
	if b.opts.Overflow == OverflowCheck {
		return impure
	}
	return 0
}

func (b *lowerer) costPrimary(x *cc.PrimaryExpression) int {
	switch x.Case {
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar:
		return 0
	case cc.PrimaryExpressionExpr:
		return b.cost(x.ExpressionList)
	case cc.PrimaryExpressionIdent:
		d, ok := x.ResolvedTo().(*cc.Declarator)
		if !ok {
			return 0
		}
		if d.Type().Kind() == cc.Function {
			return 0
		}
		if b.atomicHere() || !b.variable(x, d).obj.shared {
			return 0
		}
		return 1
	}
	return impure
}

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

// oneStep reports whether an expression can be evaluated as one term, now.
func (b *lowerer) oneStep(n cc.ExpressionNode) bool { return b.cost(n) <= 1 }

// evalLogical evaluates && and || for their value.
func (b *lowerer) evalLogical(n cc.ExpressionNode) *value {
	l, r, and := logicalOf(n)
	if l == nil {
		return b.eval(r)
	}
	if b.oneStep(n) {
		lc, lv := b.condValue(l)
		if b.cur == nil {
			return lv
		}
		var known bool
		if lc.IsTrue() || lc.IsFalse() {
			known = true
			if lc.IsTrue() != and {
				return b.intValue(b.L.BoolToInt(lc), intT)
			}
		}
		rc, rv := b.condValue(r)
		v := &value{kind: vInt, it: intT, src: n, rng: &interval{logic.IntValue(0), logic.IntValue(1)}}
		v.side = append(v.side, lv.side...)
		guard := lc
		c := b.L.And(lc, rc)
		if !and {
			guard, c = b.L.Not(lc), b.L.Or(lc, rc)
		}
		if known {
			guard, c = b.L.True(), rc
		}
		for _, s := range rv.side {
			v.side = append(v.side, b.L.Implies(guard, s))
		}
		v.t = b.L.BoolToInt(c)
		return v
	}
	t, f := b.branch(n)
	return b.merged(n, flagValue{t, 1}, flagValue{f, 0})
}

// flagValue is a flow on which an expression has this value.
type flagValue struct {
	f *flow
	v int64
}

// merged lets flows meet that carry values.
func (b *lowerer) merged(n cc.Node, fs ...flagValue) *value {
	var reached []flagValue
	for _, f := range fs {
		if f.f != nil {
			reached = append(reached, f)
		}
	}
	switch len(reached) {
	case 0:
		b.cur = nil
		return b.constInt(0, intT)
	case 1:
		b.cur = reached[0].f
		return b.constInt(reached[0].v, intT)
	}
	tmp := b.newTemp(intT)
	var flows []*flow
	for _, f := range reached {
		b.cur = f.f
		b.emit(n, "", ir.AssignCmd(tmp, b.L.Int(f.v)))
		flows = append(flows, b.cur)
	}
	b.join(n, flows...)
	v := b.intValue(tmp.Sym, intT)
	v.rng = &interval{logic.IntValue(0), logic.IntValue(1)}
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

// evalConditional evaluates c ? x : y.
func (b *lowerer) evalConditional(x *cc.ConditionalExpression) *value {
	if b.oneStep(x) {
		if v := b.selectTerm(x); v != nil {
			return v
		}
	}
	b.settleAll()
	t, f := b.branch(x.LogicalOrExpression)
	if t == nil || f == nil {
		if b.cur = t; t != nil {
			return b.eval(x.ExpressionList)
		}
		b.cur = f
		return b.eval(x.ConditionalExpression)
	}
	b.cur = t
	tv := b.eval(x.ExpressionList)
	t = b.cur
	b.cur = f
	fv := b.eval(x.ConditionalExpression)
	f = b.cur
	return b.mergeValues(x, t, tv, f, fv)
}

// mergeValues lets two flows meet that carry values.
func (b *lowerer) mergeValues(n cc.Node, t *flow, tv *value, f *flow, fv *value) *value {
	switch {
	case t == nil:
		b.cur = f
		return fv
	case f == nil:
		b.cur = t
		return tv
	case tv.kind == vVoid || fv.kind == vVoid:
		b.join(n, t, f)
		return &value{kind: vVoid}
	case tv.kind != vInt || fv.kind != vInt:
		b.join(n, t, f)
		if sameValue(tv, fv) {
			return tv
		}
		if tv.kind == vAgg || fv.kind == vAgg {
			b.fail(n, "unsupported: struct chosen by ?:")
		}
		return &value{kind: vUnknown, src: n}
	}
	it := usual(tv.it, fv.it)
	if tv.it == fv.it {
		it = tv.it
	}
	tmp := b.newTemp(it)
	var flows []*flow
	for _, s := range []struct {
		f *flow
		v *value
	}{{t, tv}, {f, fv}} {
		b.cur = s.f
		v := b.convert(n, s.v, it)
		mark := b.hold(v)
		b.settle(b.pending(v))
		b.letGo(mark)
		b.emitValue(n, b.text(n), v, ir.AssignCmd(tmp, v.t))
		flows = append(flows, b.cur)
	}
	b.join(n, flows...)
	return b.intValue(tmp.Sym, it)
}

// selectTerm evaluates c ? x : y as a term, or returns nil.
func (b *lowerer) selectTerm(x *cc.ConditionalExpression) *value {
	c, cv := b.condValue(x.LogicalOrExpression)
	if b.cur == nil || x.ExpressionList == nil {
		return cv
	}
	if len(cv.side) == 0 && c.IsTrue() {
		return b.eval(x.ExpressionList)
	}
	if len(cv.side) == 0 && c.IsFalse() {
		return b.eval(x.ConditionalExpression)
	}
	tv, fv := b.eval(x.ExpressionList), b.eval(x.ConditionalExpression)
	if tv.kind != vInt || fv.kind != vInt {
		if sameValue(tv, fv) {
			return tv
		}
		return nil
	}
	it := usual(tv.it, fv.it)
	tv, fv = b.convert(x, tv, it), b.convert(x, fv, it)
	v := &value{kind: vInt, it: it, t: b.L.Ite(c, tv.t, fv.t), src: x}
	v.side = append(v.side, cv.side...)
	for _, s := range tv.side {
		v.side = append(v.side, b.L.Implies(c, s))
	}
	for _, s := range fv.side {
		v.side = append(v.side, b.L.Or(c, s))
	}
	return v
}

// condText returns the text of a condition without parentheses around it.
func (b *lowerer) condText(n cc.Node) string {
	if e, ok := n.(cc.ExpressionNode); ok {
		return b.text(unparen(e))
	}
	return b.text(n)
}
