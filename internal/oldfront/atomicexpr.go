package cfront

import "modernc.org/cc/v4"

// atomicStruct is why a struct is not supported.
const atomicStruct = "_Atomic struct or union"

// holdsStruct reports whether a type is a struct, a union, or an array of them.
func holdsStruct(t *ctype) bool {
	for t.kind == tArray {
		t = t.elem
	}
	return t.kind == tStruct
}

// isAtomic reports whether an lvalue is known to have an _Atomic type.
func (b *lowerer) isAtomic(n cc.ExpressionNode) bool {
	atomic, _ := b.src.atomics.Lvalue(n)
	return atomic
}

// atomicLvalue reports whether ++ and the like of an lvalue are one step.
func (b *lowerer) atomicLvalue(n cc.ExpressionNode) bool {
	atomic, known := b.src.atomics.Lvalue(n)
	if !known {
		b.fail(n, "unsupported: this expression as the target of an assignment that reads it, as comus cannot tell whether it is _Atomic")
	}
	return atomic
}

// expr returns the type of an expression; of an lvalue with its own _Atomic.
func (a *Atomics) expr(n cc.ExpressionNode) *atype {
	if n == nil {
		return nil
	}
	switch x := unparen(n).(type) {
	case *cc.PrimaryExpression:
		return a.primary(x)
	case *cc.PostfixExpression:
		return a.postfix(x)
	case *cc.UnaryExpression:
		return a.unary(x)
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionUnary {
			return a.expr(x.UnaryExpression)
		}
		return a.name(x.TypeName).decayed()
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionLOr {
			return a.expr(x.LogicalOrExpression)
		}
		if x.ExpressionList == nil {
			return a.either(x, x.LogicalOrExpression, x.ConditionalExpression)
		}
		return a.either(x, x.ExpressionList, x.ConditionalExpression)
	case *cc.AssignmentExpression:
		if x.Case == cc.AssignmentExpressionCond {
			return a.expr(x.ConditionalExpression)
		}
		return a.expr(x.UnaryExpression).decayed()
	case *cc.ConstantExpression:
		return a.expr(x.ConditionalExpression)
	case *cc.ExpressionList: // unparen leaves those with commas
		for x.ExpressionList != nil {
			x = x.ExpressionList
		}
		return a.expr(x.AssignmentExpression).decayed()
	default:
		return a.operation(x)
	}
}

// operation returns the type of the result of an operator.
func (a *Atomics) operation(n cc.ExpressionNode) *atype {
	if n.Type().Kind() != cc.Ptr {
		return &atype{}
	}
	_, l, r, ok := binaryOf(n)
	switch {
	case !ok:
		return nil
	case l == nil:
		return a.expr(r)
	case isPointer(l):
		return a.expr(l).decayed()
	}
	return a.expr(r).decayed()
}

// either returns the type of the result of ?: with the operands l and r.
func (a *Atomics) either(n, l, r cc.ExpressionNode) *atype {
	if n.Type().Kind() != cc.Ptr {
		return &atype{}
	}
	null := func(x cc.ExpressionNode) bool { // 0, or a void * where the result is none
		return isZeroLiteral(x) || isVoidPointer(x) && !isVoidPointer(n)
	}
	if null(l) {
		return a.expr(r).decayed()
	}
	t := a.expr(l).decayed()
	if null(r) || t.same(a.expr(r).decayed()) {
		return t
	}
	return nil
}

func isVoidPointer(n cc.ExpressionNode) bool {
	p, ok := n.Type().(*cc.PointerType)
	return ok && p.Elem().Kind() == cc.Void
}

func (a *Atomics) primary(x *cc.PrimaryExpression) *atype {
	switch x.Case {
	case cc.PrimaryExpressionIdent:
		switch d := x.ResolvedTo().(type) {
		case *cc.Declarator:
			return a.declarator(d)
		case *cc.Parameter:
			return a.declarator(d.Declarator)
		}
		return &atype{} // an enumerator
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		return &atype{form: '[', elem: &atype{}}
	case cc.PrimaryExpressionGeneric:
		if g := x.GenericSelection.Associated(); g != nil {
			return a.expr(g.AssignmentExpression)
		}
	case cc.PrimaryExpressionStmt:
		var last *cc.BlockItem
		for l := x.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
			last = l.BlockItem
		}
		if last != nil && last.Statement != nil && last.Statement.ExpressionStatement != nil {
			return a.expr(last.Statement.ExpressionStatement.ExpressionList).decayed()
		}
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionFloat, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		return &atype{}
	}
	return nil
}

func (a *Atomics) postfix(x *cc.PostfixExpression) *atype {
	switch x.Case {
	case cc.PostfixExpressionPrimary:
		return a.expr(x.PrimaryExpression)
	case cc.PostfixExpressionIndex:
		array := x.PostfixExpression
		if !isPointer(array) {
			array = x.ExpressionList
		}
		return a.expr(array).target()
	case cc.PostfixExpressionCall:
		f := a.expr(x.PostfixExpression).decayed()
		if f == nil || f.elem == nil || f.elem.form != '(' {
			return nil
		}
		if t := f.elem.elem; t != nil && t.atomic { // C drops it, typeof of some versions of gcc does not
			return nil
		}
		return f.elem.elem
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		if f := x.Field(); f != nil && f.Declarator() != nil {
			return a.declarator(f.Declarator())
		}
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return a.expr(x.PostfixExpression).decayed()
	case cc.PostfixExpressionComplit:
		return a.name(x.TypeName)
	}
	return nil
}

func (a *Atomics) unary(x *cc.UnaryExpression) *atype {
	switch x.Case {
	case cc.UnaryExpressionPostfix:
		return a.expr(x.PostfixExpression)
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return a.expr(x.UnaryExpression).decayed()
	case cc.UnaryExpressionAddrof:
		if t := a.expr(x.CastExpression); t != nil {
			return &atype{form: '*', elem: t}
		}
		return nil
	case cc.UnaryExpressionDeref:
		return a.expr(x.CastExpression).target()
	}
	return &atype{}
}
