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
