package cfront

import (
	"fmt"

	"comus/ir"

	"modernc.org/cc/v4"
)

// storePointer lets a pointer variable that is not dynamic point to v.
func (b *lowerer) storePointer(n cc.Node, p place, v *value, desc string) {
	k, _ := p.fixed()
	c := p.obj.cells[k]
	if p.obj.shared {
		b.storeSharedPointer(n, c, v, desc)
		return
	}
	switch v.kind {
	case vInt:
		if isFixed(v) {
			b.bind(c, &value{kind: vInt, it: v.it, t: v.t, to: v.to})
			return
		}
		if c.v == nil {
			b.setCellVar(c, b.newVar(c.name, c.name, b.ptrInt, b.th.index))
		}
		b.settle(false, c.v)
		b.emitValue(n, desc, v, ir.AssignCmd(c.v, v.t))
		b.bind(c, b.inCell(c, v.to))
	case vPtr:
		b.bind(c, &value{kind: vPtr, pl: b.pinIndexes(n, c, v.pl, desc), maybeNull: v.maybeNull, from: v.from})
	case vFunc, vStr, vUnknown, vOutside:
		b.bind(c, v)
	default:
		b.fail(n, "unsupported: pointer assigned from this value")
	}
}

// inCell returns the value of a pointer cell that is an integer in its variable.
func (b *lowerer) inCell(c *cell, to targets) *value {
	v := b.intValue(c.v.Sym, b.ptrInt)
	v.to = to
	return v
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
		if b.opts.Check.Memory { // where it is used it is checked
			min, max := b.ptrInt.Range()
			if in := b.L.And(b.L.Le(b.L.Value(min), w.t), b.L.Le(w.t, b.L.Value(max))); !in.IsTrue() {
				w.side = append(w.side[:len(w.side):len(w.side)], in)
			}
			b.emitValue(n, desc, w, ir.AssignCmd(c.idx[i], w.t))
			p.idx[i].val = b.intValue(c.idx[i].Sym, b.ptrInt)
			continue
		}
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
			return &value{kind: vUnknown, src: n, from: c}
		}
		return b.constInt(0, b.ptrInt)
	}
	v := c.target.copy(n)
	if v.maybeNull {
		v.from = c
	}
	return v
}

// storeSharedPointer sets a pointer that several threads use.
func (b *lowerer) storeSharedPointer(n cc.Node, c *cell, v *value, desc string) {
	fixed := v.kind == vFunc
	if v.kind == vPtr {
		_, fixed = v.pl.fixed()
	}
	if !fixed {
		b.makeDynamic(n, c)
	}
	if v.kind == vPtr {
		b.escape(n, v.pl.obj)
	}
	w := *v
	w.maybeNull, w.from = v.kind == vPtr, nil
	if c.target != nil && !sameValue(c.target, &w) {
		b.makeDynamic(n, c)
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
		if v.to != nil {
			return b.derefDynamic(n, v, t)
		}
		if v.isNull() {
			if b.opts.Check.Memory {
				return place{typ: t, ptr: v, alts: []alt{}}
			}
			b.fail(n, "unsupported: dereference of a null pointer")
		}
		b.fail(n, "unsupported: pointer made from an integer is dereferenced")
	default:
		if w, ok := b.address(n, v); ok && b.cur != nil {
			return b.derefDynamic(n, w, t)
		}
		b.failHint(n, "comus follows pointers to variables, and to memory that the program allocates", "unsupported: pointer whose target is not known here")
	}
	if t != nil && t.kind == tStruct && v.pl.typ.kind == tStruct && !sameShape(t, v.pl.typ) { // seen as another struct
		return b.derefDynamic(n, b.mustAddress(n, v), t)
	}
	if v.maybeNull {
		if b.opts.Check.Memory && v.from != nil {
			b.makeDynamic(n, v.from)
		}
		b.assume(assumeNull)
	}
	if t != nil && t.kind != v.pl.typ.kind && v.pl.typ.kind == tStruct && len(v.pl.typ.fields) > 0 { // a pointer to the first member
		if f := v.pl.typ.fields[0]; f.typ.kind == t.kind && f.typ.size == t.size {
			return v.pl.member(f)
		}
	}
	if t != nil && (t.kind == tInt || t.kind == tPtr || t.kind == tStruct) && v.pl.typ.kind == tArray { // int *p = (int *)&a
		return b.deref(n, &value{kind: vPtr, pl: v.pl.at(b.constInt(0, b.ptrInt))}, t)
	}
	if t != nil && !compatible(t, v.pl.typ) {
		b.fail(n, "unsupported: pointer of another type than the variable it points to")
	}
	return v.pl
}

// derefArg is deref for a pointer that an expression has, which tells the type if
// the pointer does not.
func (b *lowerer) derefArg(n cc.Node, v *value, x cc.ExpressionNode) place {
	if v.kind == vPtr && v.pl.typ.kind != tStruct && v.pl.typ.kind != tArray {
		return b.deref(n, v, nil)
	}
	return b.deref(n, v, b.pointee(x))
}

// derefTyped is derefArg where the type that the argument points to decides what is
// accessed, which is not memory of any type as for memcpy.
func (b *lowerer) derefTyped(n cc.Node, v *value, x cc.ExpressionNode) place {
	if t := b.pointee(x); t != nil && t.kind == tInt {
		return b.deref(n, v, t)
	}
	return b.derefArg(n, v, x)
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

// movePointer returns p + i, or p - i, for a pointer to what has the type elem.
func (b *lowerer) movePointer(n cc.Node, v *value, i *value, sign int64, elem *ctype) *value {
	if v.kind == vOutside {
		return v
	}
	if i.kind != vInt {
		b.fail(n, "unsupported: pointer arithmetic with a pointer")
	}
	if k, ok := i.constant(); ok && k.Sign() == 0 && len(i.side) == 0 {
		return v
	}
	i = b.convert(n, i, b.ptrInt)
	if v.kind != vPtr || !v.pl.elem || elem != nil && elem.size != v.pl.typ.size {
		return b.moveAddress(n, v, i, sign, elem)
	}
	old := v.pl.idx[len(v.pl.idx)-1].val
	t := b.L.Add(old.t, i.t)
	if sign < 0 {
		t = b.L.Sub(old.t, i.t)
	}
	sum := b.intValue(t, b.ptrInt)
	sum.side = append(append(sum.side, old.side...), i.side...)
	sum.src = n
	return &value{kind: vPtr, pl: v.pl.moved(sum), src: n, maybeNull: v.maybeNull, from: v.from}
}

// moveAddress is movePointer for a pointer that is an address.
func (b *lowerer) moveAddress(n cc.Node, v, i *value, sign int64, elem *ctype) *value {
	v = b.mustAddress(n, v)
	switch {
	case elem == nil:
		b.fail(n, "unsupported: pointer arithmetic on a pointer whose type is not known here")
	case elem.kind == tBad:
		b.fail(n, "unsupported: %s", elem.why)
	}
	w := b.moved(v, i, sign*elem.size)
	w.src = n
	return w
}

// pointerBinary computes l op r where one of them is a pointer, to what has the type
// elem.
func (b *lowerer) pointerBinary(n cc.Node, op string, l, r *value, elem *ctype) *value {
	if l.kind == vVoid || r.kind == vVoid || l.kind == vAgg || r.kind == vAgg {
		b.fail(n, "unsupported: operator %s on this type", op)
	}
	sized := func() bool { return l.kind != vPtr || elem == nil || l.pl.typ.size == elem.size }
	switch op {
	case "-":
		if d, ok := b.distance(l, r); ok && sized() {
			return d
		}
	case "==", "!=":
		if eq, ok := b.samePointer(n, l, r); ok {
			return b.intValue(b.L.BoolToInt(b.L.Eq(eq, b.L.Bool(op == "=="))), intT)
		}
	case "<", ">", "<=", ">=":
		if d, ok := b.distance(l, r); ok {
			return b.compare(n, op, d, b.constInt(0, b.ptrInt))
		}
	}
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	la, ok1 := b.address(n, l)
	mark := b.hold(l)
	if ok1 {
		b.hold(la)
	}
	ra, ok2 := b.address(n, r)
	b.letGo(mark)
	if !ok1 || !ok2 {
		b.fail(n, "unsupported: pointer operation %s on these pointers", op)
	}
	return b.addressBinary(n, op, la, ra, elem)
}

// addressBinary computes l op r for addresses.
func (b *lowerer) addressBinary(n cc.Node, op string, l, r *value, elem *ctype) *value {
	for _, v := range []*value{l, r} { // a comparison needs to know all addresses
		if v.to.has(toResult) && !l.isNull() && !r.isNull() {
			b.wantResults(n)
		}
	}
	unsigned := ir.Type{Bits: b.ptrInt.Bits}
	switch op {
	case "==", "!=":
		return b.compare(n, op, l, r)
	case "<", ">", "<=", ">=":
		if len(l.to) == 1 && len(r.to) == 1 && len(union(l.to, r.to)) == 2 { // C leaves this open
			b.assume(assumeLayout)
		}
		return b.compare(n, op, b.convert(n, l, unsigned), b.convert(n, r, unsigned))
	case "-":
		if elem != nil && elem.size > 0 {
			w := b.intValue(b.L.TruncDiv(b.L.Sub(l.t, r.t), b.L.Int(elem.size)), b.ptrInt)
			w.side = append(append(w.side, l.side...), r.side...)
			if min, max := b.ptrInt.Range(); l.rng == nil || r.rng == nil {
				w.side = append(w.side, b.L.Le(b.L.Value(min), w.t), b.L.Le(w.t, b.L.Value(max)))
				b.assume(assumePointer)
			}
			return w
		}
	}
	b.fail(n, "unsupported: pointer operation %s on these pointers", op)
	return nil
}
