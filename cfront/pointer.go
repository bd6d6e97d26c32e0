package cfront

import (
	"fmt"

	"comus/ir"

	"modernc.org/cc/v4"
)

// storePointer lets a pointer variable point to v.
func (b *lowerer) storePointer(n cc.Node, p place, v *value, desc string) {
	k, ok := p.fixed()
	if !ok {
		b.fail(n, "unsupported: pointer stored in an array with an index that is not known here")
	}
	c := p.obj.cells[k]
	if p.obj.shared {
		b.storeSharedPointer(n, c, v, desc)
		return
	}
	switch v.kind {
	case vInt:
		if _, ok := v.constant(); ok && len(v.side) == 0 {
			b.bind(c, &value{kind: vInt, it: v.it, t: v.t})
			return
		}
		if c.v == nil {
			b.setCellVar(c, b.newVar(c.name, c.name, b.ptrInt, b.th.index))
		}
		b.settle(false, c.v)
		b.emitValue(n, desc, v, ir.AssignCmd(c.v, v.t))
		b.bind(c, b.intValue(c.v.Sym, b.ptrInt))
	case vPtr:
		b.bind(c, &value{kind: vPtr, pl: b.pinIndexes(n, c, v.pl, desc), maybeNull: v.maybeNull})
	case vFunc, vStr, vUnknown, vOutside:
		b.bind(c, v)
	default:
		b.fail(n, "unsupported: pointer assigned from this value")
	}
}

func (b *lowerer) setCellVar(c *cell, v *ir.Var) {
	c.v = v
	b.record(func() { c.v = nil })
}

func (b *lowerer) bind(c *cell, v *value) {
	if b.cur != nil {
		b.cur.ptrs[c] = v
	}
}

// pinIndexes copies the indexes of a pointer's target that are not constants to
// variables of the pointer's own, so that they stay as they are.
func (b *lowerer) pinIndexes(n cc.Node, c *cell, p place, desc string) place {
	p.idx = append([]index(nil), p.idx...)
	for i := range p.idx {
		v := p.idx[i].val
		if _, ok := v.constant(); ok && len(v.side) == 0 {
			continue
		}
		for len(c.idx) <= i {
			m := len(c.idx)
			b.record(func() { c.idx = c.idx[:m] })
			c.idx = append(c.idx, b.newVar(fmt.Sprintf("%s.at%d", c.name, m), "", b.ptrInt, b.th.index))
		}
		if v.t == c.idx[i].Sym {
			continue
		}
		mark := b.hold(v)
		b.settle(false, c.idx[i])
		w := b.convert(n, v, b.ptrInt)
		b.letGo(mark)
		in := b.L.And(b.L.Le(b.L.Int(0), w.t), b.L.Le(w.t, b.L.Int(int64(p.idx[i].n))))
		if !b.impliedByType(in, w, int64(p.idx[i].n)) { // a pointer stays within its array, or right behind it
			w.side = append(w.side[:len(w.side):len(w.side)], in)
			b.assume(assumeBounds)
		}
		b.emitValue(n, desc, w, ir.AssignCmd(c.idx[i], w.t))
		p.idx[i].val = b.intValue(c.idx[i].Sym, b.ptrInt)
	}
	return p
}

// loadSharedPointer reads a pointer that several threads use. That works if it
// never changes, or is set to one target only.
func (b *lowerer) loadSharedPointer(n cc.Node, c *cell) *value {
	if c.target == nil {
		if c.obj.decl == nil || b.src.changes(c.obj.decl) {
			return &value{kind: vUnknown, src: n}
		}
		return b.constInt(0, b.ptrInt)
	}
	return c.target.copy(n)
}

// storeSharedPointer sets a pointer that several threads use.
func (b *lowerer) storeSharedPointer(n cc.Node, c *cell, v *value, desc string) {
	if v.kind == vInt && v.isNull() && c.target == nil {
		b.fail(n, "unsupported: pointer shared by threads is set to NULL")
	}
	if v.kind == vPtr {
		if _, ok := v.pl.fixed(); !ok {
			b.fail(n, "unsupported: pointer shared by threads to an element that is not known here")
		}
		b.escape(n, v.pl.obj)
	}
	if v.kind != vPtr && v.kind != vFunc {
		b.fail(n, "unsupported: pointer shared by threads is set to something other than the address of a variable")
	}
	w := *v
	w.maybeNull = v.kind == vPtr
	if c.target != nil && !sameValue(c.target, &w) {
		b.fail(n, "unsupported: pointer shared by threads has several targets")
	}
	old := c.target
	b.record(func() { c.target = old })
	c.target = &w
}

// escape makes sure that an object that other threads get at is shared. If it is
// not, lowering starts anew, knowing better.
func (b *lowerer) escape(n cc.Node, o *object) {
	if o.shared {
		return
	}
	key, global := o.key, o.decl != nil && isGlobal(o.decl)
	if global {
		key = o.decl.Name()
	}
	if b.escaped[key] {
		b.fail(n, "unsupported: pointer to this object in another thread")
	}
	b.escaped[key] = true
	if global {
		b.src.mainOnly[key] = false
	}
	panic(restart{})
}

// restart is the panic that starts lowering anew.
type restart struct{}

// deref returns the place that a pointer points to. t is the type the program
// sees there.
func (b *lowerer) deref(n cc.Node, v *value, t *ctype) place {
	switch v.kind {
	case vPtr:
	case vOutside:
		return b.outsidePlace(n, t)
	case vStr:
		b.fail(n, "unsupported: content of a string literal")
	case vInt:
		if b.cur == nil {
			break
		}
		if v.isNull() {
			b.fail(n, "unsupported: dereference of a null pointer")
		}
		b.fail(n, "unsupported: pointer made from an integer is dereferenced")
	default:
		b.failHint(n, "comus follows pointers to one variable that is known in advance", "unsupported: pointer whose target is not known here")
	}
	if v.maybeNull {
		b.assume(assumeNull)
	}
	if t != nil && t.kind != v.pl.typ.kind && v.pl.typ.kind == tStruct && len(v.pl.typ.fields) > 0 { // a pointer to the first member
		if f := v.pl.typ.fields[0]; f.typ.kind == t.kind && f.typ.size == t.size {
			return v.pl.member(f)
		}
	}
	if t != nil && t.kind == tInt && v.pl.typ.kind == tArray { // int *p = (int *)&a
		return b.deref(n, &value{kind: vPtr, pl: v.pl.at(b.constInt(0, b.ptrInt))}, t)
	}
	if t != nil && !compatible(t, v.pl.typ) {
		b.fail(n, "unsupported: pointer of another type than the variable it points to")
	}
	return v.pl
}

// compatible reports whether an object of type have can be used as one of type
// want: integers of the same size and sign and, loosely, everything of the same
// shape.
func compatible(want, have *ctype) bool {
	if want.kind != have.kind {
		return false
	}
	switch want.kind {
	case tInt:
		return want.it == have.it
	case tStruct:
		return want.size == have.size && len(want.fields) == len(have.fields)
	case tArray:
		return compatible(want.elem, have.elem)
	}
	return true
}

// movePointer returns p + i for a pointer to an array element.
func (b *lowerer) movePointer(n cc.Node, v *value, i *value, sign int64) *value {
	if v.kind == vOutside {
		return v
	}
	if v.kind == vStr {
		b.fail(n, "unsupported: content of a string literal")
	}
	if v.kind != vPtr {
		b.fail(n, "unsupported: pointer arithmetic on a pointer whose target is not known here")
	}
	if !v.pl.elem {
		if k, ok := i.constant(); ok && k.Sign() == 0 {
			return v
		}
		b.fail(n, "unsupported: pointer arithmetic on a pointer that is not to an array element")
	}
	i = b.convert(n, i, b.ptrInt)
	old := v.pl.idx[len(v.pl.idx)-1].val
	t := b.L.Add(old.t, i.t)
	if sign < 0 {
		t = b.L.Sub(old.t, i.t)
	}
	sum := b.intValue(t, b.ptrInt)
	sum.side = append(append(sum.side, old.side...), i.side...)
	sum.src = n
	return &value{kind: vPtr, pl: v.pl.moved(sum), src: n, maybeNull: v.maybeNull}
}
