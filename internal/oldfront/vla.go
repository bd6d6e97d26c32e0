package cfront

import (
	"fmt"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// minVLA is the least bound of variable length arrays whose length is not known.
const minVLA = 8

// arrayLength evaluates the length of a variable length array. One that is not
// known is cut off where it gets larger than a bound, and kept in a variable.
func (b *lowerer) arrayLength(n cc.ExpressionNode) (int, *ir.Var) {
	v := b.eval(n)
	if b.cur == nil {
		return 1, nil // nobody gets here
	}
	if c, ok := v.constant(); ok && len(v.side) == 0 {
		if k, small := c.Int64(); small && k > 0 && k <= maxCells {
			return int(k), nil
		}
		return -1, nil
	}
	if v.kind != vInt {
		return -1, nil
	}
	most := max(minVLA, b.opts.MaxThreads)
	b.materialise(v)
	b.emitValue(n, b.text(n), v, ir.AssumeCmd(b.L.And(b.L.Le(b.L.Int(1), v.t), b.L.Le(v.t, b.L.Int(int64(most))))))
	b.bounded(fmt.Sprintf("at most %d elements of the variable length array at %s", most, position(n)))
	length := b.lengthVar(n)
	b.settle(false, length)
	b.emitValue(n, "", v, ir.AssignCmd(length, v.t))
	return most, length
}

// lengthIn returns arrayLength for the declaration of d. The length of a type from elsewhere,
// a typedef or a typeof, was evaluated there.
func (b *lowerer) lengthIn(d *cc.Declarator) func(cc.ExpressionNode) (int, *ir.Var) {
	return func(n cc.ExpressionNode) (int, *ir.Var) {
		if !within(d, n) {
			b.fail(d, "unsupported: variable length array of a type that is declared elsewhere")
		}
		return b.arrayLength(n)
	}
}

// within reports whether a node is below another one.
func within(top cc.Node, n cc.ExpressionNode) bool {
	found := false
	children(top, func(c cc.Node) bool {
		found = found || c == cc.Node(n)
		return !found
	})
	return found
}

// sizeofOperand evaluates sizeof: what cc has computed, or the size of a variable length array.
func (b *lowerer) sizeofOperand(x *cc.UnaryExpression) *value {
	if isNumber(x) {
		return b.literal(x)
	}
	size := ir.Type{Bits: b.ptrInt.Bits}
	if x.Case == cc.UnaryExpressionSizeofType {
		return b.convert(x, b.typeSize(x, x.TypeName.Type()), size)
	}
	t := b.arrayOf(x.UnaryExpression)
	if t == nil || t.kind != tArray {
		b.fail(x, "unsupported: the size of a variable length array that is no variable, or a part of one")
	}
	v := b.intValue(b.L.Int(1), size)
	for ; t.kind == tArray; t = t.elem {
		if t.length != nil {
			v.t = b.L.Mul(v.t, t.length.Sym)
		} else {
			v.t = b.L.Mul(v.t, b.L.Int(int64(t.n)))
		}
	}
	v.t = b.L.Mul(v.t, b.L.Int(t.size))
	v.rng = &interval{logic.IntValue(0), logic.IntValue(maxCells * t.size)}
	return v
}

// typeSize returns the size of a type that is spelled out, as a size_t.
func (b *lowerer) typeSize(x cc.Node, t cc.Type) *value {
	size := ir.Type{Bits: b.ptrInt.Bits}
	a, ok := t.(*cc.ArrayType)
	if !ok {
		return b.constInt(t.Size(), size)
	}
	elem := b.typeSize(x, a.Elem())
	mark := b.hold(elem)
	defer func() { b.letGo(mark) }()
	n := b.constInt(a.Len(), size)
	if a.IsVLA() {
		if !within(x, a.SizeExpression()) {
			b.fail(x, "unsupported: the size of a variable length array of a type that is declared elsewhere")
		}
		if n = b.eval(a.SizeExpression()); n.kind != vInt {
			b.fail(x, "unsupported: this length of an array")
		}
	}
	return b.arith(x, '*', b.convert(x, n, size), elem)
}

// arrayOf returns the type of an array that is a local variable or a part of one, whose
// indexes have no effects; nil for anything else.
func (b *lowerer) arrayOf(n cc.ExpressionNode) *ctype {
	var t *ctype
	switch x := unparen(n).(type) {
	case *cc.PrimaryExpression:
		if d, ok := x.ResolvedTo().(*cc.Declarator); ok && x.Case == cc.PrimaryExpressionIdent && d.Type().Kind() == cc.Array && !d.IsParam() {
			return b.variable(x, d).typ
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionIndex && b.cost(x.ExpressionList) < impure {
			t = b.arrayOf(x.PostfixExpression)
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			t = b.arrayOf(x.CastExpression)
		}
	}
	if t == nil || t.kind != tArray {
		return nil
	}
	return t.elem
}

// lengthVar returns the variable for the length of an array of the current call: the
// same each time control comes to its declaration, like the array itself.
func (b *lowerer) lengthVar(n cc.ExpressionNode) *ir.Var {
	key := fmt.Sprintf("%s.length@%p", b.fr.path, n)
	th := b.th
	o := th.objs[key]
	if o == nil {
		t := &ctype{kind: tInt, it: b.ptrInt, cells: 1, size: int64(b.ptrInt.Bits / 8)}
		o = b.newObject(b.fr.path+".length", "", nil, t, th.index, nil)
		th.objs[key] = o
		b.record(func() { delete(th.objs, key) })
	}
	return o.cells[0].v
}

// withinLength returns the assumption that an index is within an array whose length is
// kept in a variable. Other threads, which may have a pointer into the array, do not
// know the length.
func (b *lowerer) withinLength(x index) []*logic.Term {
	if x.length == nil || x.length.Thread != b.th.index {
		return nil
	}
	if !b.opts.Check.Memory {
		b.assume(assumeBounds)
	}
	return []*logic.Term{b.L.Lt(x.val.t, x.length.Sym)}
}

// sameArrays reports whether arrays have the same shape and keep their length in the
// same way; other types of one declaration are the same.
func sameArrays(t, u *ctype) bool {
	if t.kind != tArray || u.kind != tArray {
		return t.cells == u.cells
	}
	return t.n == u.n && t.length == u.length && sameArrays(t.elem, u.elem)
}
