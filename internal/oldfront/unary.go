package cfront

import (
	"comus/logic"

	"modernc.org/cc/v4"
)

func (b *lowerer) evalUnary(x *cc.UnaryExpression) *value {
	switch x.Case {
	case cc.UnaryExpressionPostfix:
		return b.eval(x.PostfixExpression)
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return b.evalStep(x, x.UnaryExpression, x.Case == cc.UnaryExpressionInc, false, true)
	case cc.UnaryExpressionAddrof:
		return b.addressOf(x, x.CastExpression)
	case cc.UnaryExpressionDeref:
		v := b.eval(x.CastExpression)
		if v.kind == vFunc || b.cur == nil || x.Type().Undecay().Kind() == cc.Function {
			return v
		}
		return b.load(x, b.deref(x, v, b.typeOf(x.Type().Undecay(), nil)))
	case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl:
		v := b.eval(x.CastExpression)
		if v.kind == vFloat {
			return v
		}
		if v.kind != vInt {
			b.fail(x, "unsupported: operator on a pointer")
		}
		switch x.Case {
		case cc.UnaryExpressionPlus:
			return b.convert(x, v, promote(v.it))
		case cc.UnaryExpressionMinus:
			if b.opts.Overflow == OverflowCheck && b.pending(v) {
				b.materialise(v)
			}
			return b.negate(x, v)
		}
		return b.complement(x, v)
	case cc.UnaryExpressionNot:
		c, v := b.condValue(x.CastExpression)
		w := b.intValue(b.L.BoolToInt(b.L.Not(c)), intT)
		w.side, w.src = v.side, x
		w.rng = &interval{logic.IntValue(0), logic.IntValue(1)}
		return w
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType:
		return b.sizeofOperand(x)
	case cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		return b.literal(x)
	case cc.UnaryExpressionLabelAddr:
		b.fail(x, "unsupported: address of a label")
	}
	b.fail(x, "unsupported: this operator")
	return nil
}

// addressOf evaluates &n.
func (b *lowerer) addressOf(x cc.Node, n cc.ExpressionNode) *value {
	n = unparen(n)
	if id, ok := n.(*cc.PrimaryExpression); ok && id.Case == cc.PrimaryExpressionIdent {
		if d, ok := id.ResolvedTo().(*cc.Declarator); ok && d.Type().Kind() == cc.Function {
			return &value{kind: vFunc, fn: d.Name(), src: x}
		}
	}
	if u, ok := n.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionDeref {
		return b.eval(u.CastExpression)
	}
	p, ok := b.placeOf(n)
	if !ok {
		return &value{kind: vUnknown, src: x}
	}
	return b.pointerTo(x, p)
}

// placeOf evaluates an lvalue. It returns false in code that is not reached.
func (b *lowerer) placeOf(n cc.ExpressionNode) (place, bool) {
	if b.cur == nil {
		return place{}, false
	}
	if x := unparen(n); isStructValue(x) {
		v := b.eval(x)
		if b.cur != nil && v.kind != vAgg {
			b.fail(x, "unsupported: member of this struct")
		}
		return v.pl, b.cur != nil
	}
	switch x := unparen(n).(type) {
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionIdent {
			if d, ok := x.ResolvedTo().(*cc.Declarator); ok {
				return b.variable(x, d), true
			}
			b.fail(x, "undeclared identifier '%s'", x.Token.SrcStr())
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			v := b.eval(x.CastExpression)
			if b.cur == nil {
				return place{}, false
			}
			return b.deref(x, v, b.typeOf(x.Type().Undecay(), nil)), true
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionIndex:
			return b.elementOf(x)
		case cc.PostfixExpressionSelect:
			p, ok := b.placeOf(x.PostfixExpression)
			if !ok {
				return place{}, false
			}
			return b.fieldOf(x, p), true
		case cc.PostfixExpressionPSelect:
			v := b.eval(x.PostfixExpression)
			if b.cur == nil {
				return place{}, false
			}
			return b.arrowOf(x, v), true
		case cc.PostfixExpressionComplit:
			return b.compoundLiteral(x)
		}
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionUnary {
			return b.placeOf(x.UnaryExpression)
		}
	}
	b.fail(n, "unsupported: this expression as the target of an assignment or of &")
	return place{}, false
}

// elementOf evaluates a[i].
func (b *lowerer) elementOf(x *cc.PostfixExpression) (place, bool) {
	arr := b.eval(x.PostfixExpression)
	mark := b.hold(arr)
	i := b.eval(x.ExpressionList)
	b.letGo(mark)
	if b.cur == nil {
		return place{}, false
	}
	array := x.PostfixExpression
	if !isPointer(array) {
		arr, i, array = i, arr, x.ExpressionList
	}
	if i.kind != vInt {
		b.fail(x, "unsupported: pointer as an index")
	}
	if b.pending(i) {
		b.materialise(i)
	}
	mark = b.hold(i)
	if arr.kind == vInt && b.pending(arr) {
		b.materialise(arr)
	}
	b.letGo(mark)
	p := b.movePointer(x, b.flattened(arr, array, i, 1), i, 1, b.pointee(array))
	return b.deref(x, p, b.typeOf(x.Type().Undecay(), nil)), true
}

// fieldOf returns the place of the field that x selects from p.
func (b *lowerer) fieldOf(x *cc.PostfixExpression, p place) place {
	if p.typ.kind == tBad {
		b.fail(x, "unsupported: %s", p.typ.why)
	}
	if p.typ.kind == tStruct {
		if q, ok := p.named(x.Token2.SrcStr()); ok {
			return q
		}
	}
	b.fail(x, "unsupported: member '%s' of this object", x.Token2.SrcStr())
	return place{}
}

// named returns the place of a member, also of one of an anonymous member.
func (p place) named(name string) (place, bool) {
	for _, f := range p.typ.fields {
		if f.name == name {
			return p.member(f), true
		}
		if f.name == "" && f.typ.kind == tStruct {
			if q, ok := p.member(f).named(name); ok {
				return q, true
			}
		}
	}
	return place{}, false
}

func (b *lowerer) evalPostfix(x *cc.PostfixExpression) *value {
	switch x.Case {
	case cc.PostfixExpressionPrimary:
		return b.eval(x.PrimaryExpression)
	case cc.PostfixExpressionCall:
		return b.evalCall(x)
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return b.evalStep(x, x.PostfixExpression, x.Case == cc.PostfixExpressionInc, true, true)
	case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		p, ok := b.placeOf(x)
		if !ok {
			return &value{kind: vUnknown, src: x}
		}
		return b.load(x, p)
	case cc.PostfixExpressionComplit:
		p, ok := b.compoundLiteral(x)
		if !ok {
			return &value{kind: vUnknown, src: x}
		}
		return b.load(x, p)
	}
	b.fail(x, "unsupported: this expression")
	return nil
}

// isStructValue tells what is no lvalue but has members: calls, assignments, ?:, the comma
// and GNU's statement expressions.
func isStructValue(n cc.ExpressionNode) bool {
	if k := n.Type().Kind(); k != cc.Struct && k != cc.Union {
		return false
	}
	switch x := n.(type) {
	case *cc.PostfixExpression:
		return x.Case == cc.PostfixExpressionCall
	case *cc.PrimaryExpression:
		return x.Case == cc.PrimaryExpressionStmt
	case *cc.ConditionalExpression, *cc.AssignmentExpression, *cc.ExpressionList:
		return true
	}
	return false
}

// evalStep evaluates ++ and --.
func (b *lowerer) evalStep(n cc.ExpressionNode, operand cc.ExpressionNode, inc, post, want bool) *value {
	op := "-"
	if inc {
		op = "+"
	}
	return b.update(n, operand, op, nil, post, want)
}

// assignOps are the operators of compound assignments.
var assignOps = map[cc.AssignmentExpressionCase]string{
	cc.AssignmentExpressionMul: "*", cc.AssignmentExpressionDiv: "/", cc.AssignmentExpressionMod: "%",
	cc.AssignmentExpressionAdd: "+", cc.AssignmentExpressionSub: "-", cc.AssignmentExpressionLsh: "<<",
	cc.AssignmentExpressionRsh: ">>", cc.AssignmentExpressionAnd: "&", cc.AssignmentExpressionXor: "^",
	cc.AssignmentExpressionOr: "|",
}

func (b *lowerer) evalAssign(x *cc.AssignmentExpression, want bool) *value {
	none := &value{kind: vVoid, src: x}
	if b.cur == nil {
		return &value{kind: vUnknown, src: x}
	}
	if op, ok := assignOps[x.Case]; ok {
		return b.update(x, x.UnaryExpression, op, x.AssignmentExpression, false, want)
	}
	p, ok := b.placeOf(x.UnaryExpression)
	if !ok {
		return &value{kind: vUnknown, src: x}
	}
	if holdsStruct(p.typ) && (b.isAtomic(x.UnaryExpression) || b.isAtomic(x.AssignmentExpression)) {
		b.fail(x, "unsupported: %s", atomicStruct)
	}
	mark := b.holdPlace(p)
	v := b.eval(x.AssignmentExpression)
	b.letGo(mark)
	if b.cur == nil {
		return &value{kind: vUnknown, src: x}
	}
	mark = b.holdPlace(p)
	v = b.cast(x, v, p.typ)
	if want {
		v = b.stable(v, p)
	}
	b.letGo(mark)
	b.store(x, p, v, b.text(x))
	if want {
		return b.stored(p, v)
	}
	return none
}

// stable makes a value that is stored in p and used once more independent of the
// store, unless the variable itself is what stored will return.
func (b *lowerer) stable(v *value, p place) *value {
	if v.kind == vAgg {
		b.materialiseStruct(v)
	}
	if v.kind != vInt {
		return v
	}
	if _, ok := v.constant(); ok && len(v.side) == 0 {
		return v
	}
	if k, ok := p.fixed(); !ok || p.shared() || p.typ.kind != tInt || p.obj.cells[k].v.Type != p.typ.it {
		b.materialise(v)
	}
	return v
}

// stored returns the value of an assignment expression: that of the variable, if
// it is a plain local one, which is then what v would have to be copied to.
func (b *lowerer) stored(p place, v *value) *value {
	if v.kind != vInt || p.typ.kind != tInt || b.cur == nil {
		return v
	}
	if _, ok := v.constant(); ok {
		return v
	}
	if k, ok := p.fixed(); ok && !p.shared() && p.obj.cells[k].v.Type == p.typ.it {
		return b.intValue(p.obj.cells[k].v.Sym, p.typ.it)
	}
	return v
}

// update evaluates compound assignments, ++ and --. amount is nil for 1.
func (b *lowerer) update(n cc.ExpressionNode, target cc.ExpressionNode, op string, amount cc.ExpressionNode, post, want bool) *value {
	p, ok := b.placeOf(target)
	if !ok {
		return &value{kind: vUnknown, src: n}
	}
	mark := b.holdPlace(p)
	defer func() { b.letGo(mark) }()
	if p.shared() && b.atomicLvalue(target) {
		r := b.constInt(1, intT)
		if amount != nil {
			r = b.eval(amount)
			if b.pending(r) {
				b.materialise(r)
			}
		}
		var v *value
		b.hold(r)
		b.atomically(n, func() { v = b.updated(n, target, p, op, b.load(target, p), amount, r, post, want) })
		return v
	}
	old := b.load(target, p)
	b.hold(old)
	r := b.constInt(1, intT)
	if amount != nil {
		r = b.eval(amount)
	}
	if b.cur == nil {
		return &value{kind: vUnknown, src: n}
	}
	return b.updated(n, target, p, op, old, amount, r, post, want)
}

// updated stores old op r, which are the values of the target and the amount.
func (b *lowerer) updated(n, target cc.ExpressionNode, p place, op string, old *value, amount cc.ExpressionNode, r *value, post, want bool) *value {
	if old.kind == vInt && p.shared() && !b.atomicHere() {
		mark := b.hold(r)
		if b.pending(old) {
			b.materialise(old)
		}
		b.letGo(mark)
	}
	if old.kind == vInt && b.opts.Overflow == OverflowCheck && b.pending(r) {
		b.materialise(r)
	}
	if post && want && old.kind == vInt {
		b.materialise(old)
	}
	v := b.cast(n, b.typedBinary(n, op, target, old, amount, r), p.typ)
	if want && !post {
		v = b.stable(v, p)
	}
	b.store(n, p, v, b.text(n))
	if post {
		return old
	}
	if want {
		return b.stored(p, v)
	}
	return v
}
