package cfront

import (
	"math/big"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// eval evaluates an expression for its value.
func (b *lowerer) eval(n cc.ExpressionNode) *value {
	v := b.evalNode(n)
	if v.kind == vInt && v.src == nil {
		v.src = n
	}
	return v
}

func (b *lowerer) evalNode(n cc.ExpressionNode) *value {
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		return b.evalPrimary(x)
	case *cc.PostfixExpression:
		return b.evalPostfix(x)
	case *cc.UnaryExpression:
		return b.evalUnary(x)
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionUnary {
			return b.eval(x.UnaryExpression)
		}
		return b.evalCast(x)
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionLOr {
			return b.eval(x.LogicalOrExpression)
		}
		return b.evalConditional(x)
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		return b.evalLogical(n)
	case *cc.AssignmentExpression:
		if x.Case == cc.AssignmentExpressionCond {
			return b.eval(x.ConditionalExpression)
		}
		return b.evalAssign(x, true)
	case *cc.ExpressionList:
		for x.ExpressionList != nil {
			b.evalDrop(x.AssignmentExpression)
			x = x.ExpressionList
		}
		return b.eval(x.AssignmentExpression)
	case *cc.ConstantExpression:
		return b.eval(x.ConditionalExpression)
	}
	if op, l, r, ok := binaryOf(n); ok {
		if l == nil {
			return b.eval(r)
		}
		return b.evalBinary(n, op, l, r)
	}
	b.fail(n, "unsupported: this expression")
	return nil
}

// binaryOf takes a binary expression apart. l is nil if it consists of r only.
func binaryOf(n cc.ExpressionNode) (op string, l, r cc.ExpressionNode, ok bool) {
	switch x := n.(type) {
	case *cc.MultiplicativeExpression:
		op := [...]string{"", "*", "/", "%"}[x.Case]
		return op, x.MultiplicativeExpression, x.CastExpression, true
	case *cc.AdditiveExpression:
		return [...]string{"", "+", "-"}[x.Case], x.AdditiveExpression, x.MultiplicativeExpression, true
	case *cc.ShiftExpression:
		return [...]string{"", "<<", ">>"}[x.Case], x.ShiftExpression, x.AdditiveExpression, true
	case *cc.RelationalExpression:
		return [...]string{"", "<", ">", "<=", ">="}[x.Case], x.RelationalExpression, x.ShiftExpression, true
	case *cc.EqualityExpression:
		return [...]string{"", "==", "!="}[x.Case], x.EqualityExpression, x.RelationalExpression, true
	case *cc.AndExpression:
		return "&", x.AndExpression, x.EqualityExpression, true
	case *cc.ExclusiveOrExpression:
		return "^", x.ExclusiveOrExpression, x.AndExpression, true
	case *cc.InclusiveOrExpression:
		return "|", x.InclusiveOrExpression, x.ExclusiveOrExpression, true
	}
	return "", nil, nil, false
}

// evalDrop evaluates an expression for its effects.
func (b *lowerer) evalDrop(n cc.ExpressionNode) {
	if b.cur == nil {
		return
	}
	switch x := unparen(n).(type) {
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionCond {
			b.evalAssign(x, false)
			return
		}
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionString {
			return
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionCall {
			b.unused = true
			b.eval(n)
			b.unused = false
			return
		}
		if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
			b.evalStep(x, x.PostfixExpression, x.Case == cc.PostfixExpressionInc, true, false)
			return
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
			b.evalStep(x, x.UnaryExpression, x.Case == cc.UnaryExpressionInc, false, false)
			return
		}
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast && x.TypeName.Type().Kind() == cc.Void {
			b.evalDrop(x.CastExpression)
			return
		}
	case *cc.ExpressionList:
		for ; x != nil; x = x.ExpressionList {
			b.evalDrop(x.AssignmentExpression)
		}
		return
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionCond {
			b.dropConditional(x)
			return
		}
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		t, f := b.branch(n)
		b.join(n, t, f)
		return
	}
	b.eval(n)
}

func (b *lowerer) dropConditional(x *cc.ConditionalExpression) {
	b.settleAll()
	t, f := b.branch(x.LogicalOrExpression)
	b.cur = t
	if b.cur != nil && x.ExpressionList != nil {
		b.evalDrop(x.ExpressionList)
	}
	t, b.cur = b.cur, f
	if b.cur != nil {
		b.evalDrop(x.ConditionalExpression)
	}
	b.join(x, t, b.cur)
}

// unparen removes parentheses.
func unparen(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		switch x := n.(type) {
		case *cc.PrimaryExpression:
			if x.Case != cc.PrimaryExpressionExpr {
				return n
			}
			n = x.ExpressionList
		case *cc.ExpressionList:
			if x.ExpressionList != nil {
				return n
			}
			n = x.AssignmentExpression
		default:
			return n
		}
	}
}

func (b *lowerer) evalPrimary(x *cc.PrimaryExpression) *value {
	switch x.Case {
	case cc.PrimaryExpressionIdent:
		return b.evalIdent(x)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		return b.literal(x)
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		return b.stringLiteral(x)
	case cc.PrimaryExpressionExpr:
		return b.eval(x.ExpressionList)
	case cc.PrimaryExpressionFloat:
		return &value{kind: vFloat, src: x}
	case cc.PrimaryExpressionStmt:
		return b.evalStatement(x)
	case cc.PrimaryExpressionGeneric:
		if a := x.GenericSelection.Associated(); a != nil {
			return b.eval(a.AssignmentExpression)
		}
	}
	b.fail(x, "unsupported: this expression")
	return nil
}

// literal returns the value that cc computed for a constant.
func (b *lowerer) literal(n cc.ExpressionNode) *value {
	t := b.typeOf(n.Type(), nil)
	if t.kind == tBad {
		b.fail(n, "unsupported: %s", t.why)
	}
	var c logic.Value
	switch k := n.Value().(type) {
	case cc.Int64Value:
		c = logic.IntValue(int64(k))
	case cc.UInt64Value:
		c = logic.BigValue(new(big.Int).SetUint64(uint64(k)))
	default:
		b.fail(n, "unsupported: this constant")
	}
	it := t.it
	if t.kind != tInt {
		it = b.ptrInt
	}
	return b.intValue(b.L.Value(wrapConst(c, it)), it)
}

func (b *lowerer) evalIdent(x *cc.PrimaryExpression) *value {
	switch r := x.ResolvedTo().(type) {
	case *cc.Enumerator:
		return b.literal(x)
	case *cc.Declarator:
		if r.Type().Kind() == cc.Function {
			return &value{kind: vFunc, fn: r.Name(), src: x}
		}
		return b.load(x, b.variable(x, r))
	}
	if v, ok := x.Value().(cc.Int64Value); ok {
		return b.constInt(int64(v), intT)
	}
	b.fail(x, "undeclared identifier '%s'", x.Token.SrcStr())
	return nil
}

// evalStatement evaluates GNU's ({ ... }).
func (b *lowerer) evalStatement(x *cc.PrimaryExpression) *value {
	b.settleAll()
	b.enterBlock(x.CompoundStatement)
	v := &value{kind: vVoid, src: x}
	for l := x.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
		s := l.BlockItem.Statement
		if l.BlockItemList == nil && s != nil && s.Case == cc.StatementExpr && s.ExpressionStatement.ExpressionList != nil {
			if b.cur != nil {
				return b.eval(s.ExpressionStatement.ExpressionList)
			}
			return v
		}
		b.blockItem(l.BlockItem)
	}
	return v
}

// operands evaluates two operands from left to right.
func (b *lowerer) operands(l, r cc.ExpressionNode) (*value, *value) {
	lv := b.eval(l)
	mark := b.hold(lv)
	rv := b.eval(r)
	b.letGo(mark)
	if b.opts.Overflow == OverflowCheck {
		mark = b.hold(lv, rv)
		b.settle(true)
		b.letGo(mark)
	}
	return lv, rv
}

func (b *lowerer) evalBinary(n cc.ExpressionNode, op string, l, r cc.ExpressionNode) *value {
	lv, rv := b.operands(l, r)
	return b.typedBinary(n, op, l, lv, r, rv)
}

// typedBinary computes l op r for evaluated operands, as the types of their
// expressions ask for. r may be nil for an integer.
func (b *lowerer) typedBinary(n cc.Node, op string, l cc.ExpressionNode, lv *value, r cc.ExpressionNode, rv *value) *value {
	lp, rp := isPointer(l), r != nil && isPointer(r)
	if b.cur != nil && (lv.kind == vFloat || rv.kind == vFloat) {
		return b.floatBinary(n, op)
	}
	if b.cur == nil || !lp && !rp && lv.kind == vInt && rv.kind == vInt {
		return b.binary(n, op, lv, rv)
	}
	switch {
	case !lp && !rp:
		if op == "==" || op == "!=" {
			break
		}
		return b.binary(n, op, b.asInteger(n, l, lv), b.asInteger(n, r, rv))
	case op == "+" && rp:
		return b.movePointer(n, b.flattened(rv, r, lv, 1), lv, 1, b.pointee(r))
	case op == "+":
		return b.movePointer(n, b.flattened(lv, l, rv, 1), rv, 1, b.pointee(l))
	case op == "-" && !rp:
		return b.movePointer(n, b.flattened(lv, l, rv, -1), rv, -1, b.pointee(l))
	}
	var elem *ctype
	if lp && op == "-" {
		elem = b.pointee(l)
	}
	return b.pointerBinary(n, op, lv, rv, elem)
}

// asInteger returns the value of an expression of integer type, an address if it is
// a pointer that was cast.
func (b *lowerer) asInteger(n cc.Node, x cc.ExpressionNode, v *value) *value {
	if v.kind == vInt || v.kind == vVoid || v.kind == vAgg || x == nil {
		return v
	}
	w, ok := b.address(n, v)
	if !ok {
		return v
	}
	if t := b.typeOf(x.Type(), nil); t.kind == tInt {
		return b.convert(n, w, t.it)
	}
	return w
}

// binary computes l op r for evaluated operands.
func (b *lowerer) binary(n cc.Node, op string, l, r *value) *value {
	if l.kind == vFloat || r.kind == vFloat {
		return b.floatBinary(n, op)
	}
	if l.kind != vInt || r.kind != vInt {
		return b.pointerBinary(n, op, l, r, nil)
	}
	switch op {
	case "<<", ">>":
		return b.shift(n, op == "<<", l, r)
	case "<", ">", "<=", ">=", "==", "!=":
		return b.compare(n, op, l, r)
	}
	return b.arith(n, rune(op[0]), l, r)
}

// distance returns l - r for pointers into the same array.
func (b *lowerer) distance(l, r *value) (*value, bool) {
	if l.kind != vPtr || r.kind != vPtr || !l.pl.elem || !r.pl.elem || l.pl.obj != r.pl.obj {
		return nil, false
	}
	i, j := l.pl.idx[len(l.pl.idx)-1].val, r.pl.idx[len(r.pl.idx)-1].val
	if !samePlace(l.pl.moved(j), r.pl) {
		return nil, false
	}
	d := b.intValue(b.L.Sub(i.t, j.t), b.ptrInt)
	d.side = append(append(d.side, i.side...), j.side...)
	return d, true
}

// samePointer returns the condition that two pointers are equal.
func (b *lowerer) samePointer(n cc.Node, l, r *value) (*logic.Term, bool) {
	if l.kind == vInt {
		l, r = r, l
	}
	if l.kind == vInt {
		return nil, false
	}
	if l.maybeNull || r.maybeNull {
		return nil, false
	}
	switch {
	case r.kind == vInt:
		if r.isNull() && (l.kind == vPtr || l.kind == vFunc || l.kind == vStr) {
			return b.L.False(), true
		}
	case l.kind == vFunc && r.kind == vFunc:
		return b.L.Bool(l.fn == r.fn), true
	case l.kind == vPtr && r.kind == vPtr:
		if l.pl.obj != r.pl.obj {
			if l.pl.obj.literal && r.pl.obj.literal { // they may overlap
				return nil, false
			}
			return b.L.False(), true
		}
		if d, ok := b.distance(l, r); ok {
			return b.L.Eq(d.t, b.L.Int(0)), true
		}
		if samePlace(l.pl, r.pl) {
			return b.L.True(), true
		}
		i, ok1 := l.pl.fixed()
		j, ok2 := r.pl.fixed()
		if ok1 && ok2 {
			return b.L.Bool(i == j), true
		}
	}
	return nil, false
}

// isNumber reports whether cc has folded an expression to an integer.
func isNumber(n cc.ExpressionNode) bool {
	switch n.Value().(type) {
	case cc.Int64Value, cc.UInt64Value:
		return true
	}
	return false
}

func (b *lowerer) evalCast(x *cc.CastExpression) *value {
	t := b.typeOf(x.TypeName.Type(), nil)
	if p := x.CastExpression; t.kind == tInt && p.Type().Kind() == cc.Ptr && isNumber(p) {
		return b.cast(x, b.literal(p), t) // offsetof
	}
	if t.kind == tInt {
		if v, ok := b.offsetof(x.CastExpression); ok {
			return b.cast(x, v, t)
		}
	}
	if c, ok := unparen(x.CastExpression).(*cc.PostfixExpression); ok && t.kind == tPtr && c.Case == cc.PostfixExpressionCall {
		if _, ok := allocators[calleeName(c)]; ok {
			b.hint = b.pointee(x)
		}
	}
	v := b.eval(x.CastExpression)
	b.hint = nil
	if v.kind == vFloat && t.kind == tInt && isNumber(x) { // a constant
		return b.literal(x)
	}
	return b.cast(x, v, t)
}

// cast converts a value to a type.
func (b *lowerer) cast(n cc.Node, v *value, t *ctype) *value {
	if v.kind == vFloat && t.kind != tVoid && t.kind != tFloat && b.cur != nil {
		b.fail(n, "unsupported: floating point")
	}
	switch t.kind {
	case tVoid:
		return &value{kind: vVoid, src: n}
	case tFloat:
		if v.kind == vInt || v.kind == vFloat || b.cur == nil {
			return &value{kind: vFloat, src: n}
		}
	case tInt:
		if v.kind == vInt && t.oneBit {
			v = b.binary(n, "&", v, b.constInt(1, intT))
		}
		if v.kind == vInt {
			if !b.facts.results && t.it != ir.Flag && v.to.has(toResult) {
				b.wantResults(n)
			}
			return b.convert(n, v, t.it)
		}
		if t.it == ir.Flag && v.kind != vVoid && v.kind != vAgg {
			return b.convert(n, b.intValue(b.L.BoolToInt(b.truth(n, v)), intT), ir.Flag)
		}
		if t.size == int64(b.ptrInt.Bits/8) && (v.kind == vPtr || v.kind == vUnknown) {
			return v // intptr_t: stays a pointer until it is one again
		}
		if b.cur == nil {
			return b.constInt(0, t.it)
		}
		if w, ok := b.address(n, v); ok {
			return b.convert(n, w, t.it)
		}
		b.fail(n, "unsupported: pointer converted to an integer")
	case tPtr:
		if v.kind == vInt {
			return b.convert(n, v, b.ptrInt)
		}
		return v
	case tBad:
		b.fail(n, "unsupported: %s", t.why)
	case tStruct:
		if v.kind == vAgg {
			return v
		}
	}
	b.fail(n, "unsupported: this conversion")
	return nil
}

// condValue evaluates a controlling expression to a condition; side assumptions
// come with the value.
func (b *lowerer) condValue(n cc.ExpressionNode) (*logic.Term, *value) {
	v := b.eval(n)
	if b.cur == nil {
		return b.L.True(), v
	}
	return b.truth(n, v), v
}
