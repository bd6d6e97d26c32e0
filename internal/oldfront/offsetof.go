package cfront

import (
	"comus/ir"

	"modernc.org/cc/v4"
)

// offsetof evaluates the address of a part of an object at address 0, which the macro
// offsetof is, as a size_t. It returns false for another expression.
func (b *lowerer) offsetof(n cc.ExpressionNode) (*value, bool) {
	u, ok := unparen(n).(*cc.UnaryExpression)
	if !ok || u.Case != cc.UnaryExpressionAddrof || !fromNull(u.CastExpression) {
		return nil, false
	}
	v, _ := b.offsetIn(u.CastExpression)
	return v, true
}

// fromNull reports whether an lvalue is a part of what a null pointer points to, by its text.
func fromNull(n cc.ExpressionNode) bool {
	x, ok := unparen(n).(*cc.PostfixExpression)
	switch {
	case !ok:
		return false
	case x.Case == cc.PostfixExpressionPSelect:
		switch v := x.PostfixExpression.Value().(type) {
		case cc.Int64Value:
			return v == 0
		case cc.UInt64Value:
			return v == 0
		}
	case x.Case == cc.PostfixExpressionSelect:
		return fromNull(x.PostfixExpression)
	case x.Case == cc.PostfixExpressionIndex:
		return isArray(x.PostfixExpression) && fromNull(x.PostfixExpression)
	}
	return false
}

// offsetIn returns the offset of an lvalue for which fromNull holds, and its type.
func (b *lowerer) offsetIn(n cc.ExpressionNode) (*value, *ctype) {
	size := ir.Type{Bits: b.ptrInt.Bits}
	x := unparen(n).(*cc.PostfixExpression)
	base, t := b.constInt(0, size), b.pointee(x.PostfixExpression)
	if x.Case != cc.PostfixExpressionPSelect {
		base, t = b.offsetIn(x.PostfixExpression)
	}
	var more *value
	if x.Case == cc.PostfixExpressionIndex {
		mark := b.hold(base)
		i := b.eval(x.ExpressionList)
		b.letGo(mark)
		if t.kind != tArray || i.kind != vInt {
			b.fail(x, "unsupported: offset of this element")
		}
		t = t.elem
		more = b.arith(x, '*', b.convert(x, i, size), b.constInt(t.size, size))
	} else {
		if t.kind == tBad {
			b.fail(x, "unsupported: %s", t.why)
		}
		off, f, ok := t.offsetOf(x.Token2.SrcStr())
		if !ok {
			b.fail(x, "unsupported: member '%s' of this object", x.Token2.SrcStr())
		}
		more, t = b.constInt(off, size), f
	}
	return b.arith(x, '+', base, more), t
}

// offsetOf returns where a member is in a struct, also one of an anonymous member, and
// its type.
func (t *ctype) offsetOf(name string) (int64, *ctype, bool) {
	for _, f := range t.fields {
		if f.name == name {
			return f.off, f.typ, true
		}
		if f.name == "" && f.typ.kind == tStruct {
			if off, typ, ok := f.typ.offsetOf(name); ok {
				return f.off + off, typ, true
			}
		}
	}
	return 0, nil, false
}
