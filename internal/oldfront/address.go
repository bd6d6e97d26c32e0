package cfront

import (
	"fmt"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// Objects that a dynamic pointer may point to have constant addresses, far enough
// apart that the end of one is not the begin of another. They are above what
// programs use as numbers in pointers.
const (
	firstAddress = 1 << 16
	alignment    = 16
)

// addressFor returns an address for size bytes, the same each time for the same id.
func (b *lowerer) addressFor(id string, size int64) int64 {
	at, ok := b.addresses[id]
	if !ok {
		at = b.nextAddress
		b.addresses[id] = at
		b.nextAddress += (size/alignment+2)*alignment + b.gap()
		if b.nextAddress > 1<<31-1<<20 && b.ptrInt.Bits == 32 {
			b.fail(nil, "unsupported: more objects than addresses")
		}
	}
	return at
}

// gap is what addresses of objects are apart beside what is needed. If invalid
// pointers are errors, an index beyond the end of an object must not lead to another
// one, which the pointer may point to as well for all that is known.
func (b *lowerer) gap() int64 {
	switch {
	case !b.opts.Check.Memory:
		return 0
	case b.ptrInt.Bits == 32:
		return 1 << 14
	}
	return 1 << 24
}

// baseOf returns the address of an object.
func (b *lowerer) baseOf(n cc.Node, o *object) int64 {
	if o.heap != nil {
		return b.addressFor(o.heap.site.id, o.heap.site.extent()) + int64(o.heap.instance)*o.heap.site.stride()
	}
	return b.addressFor(b.idOf(o), o.typ.size)
}

// funcAddress returns the address of a function.
func (b *lowerer) funcAddress(name string) int64 { return b.addressFor("function "+name, 1) }

// pointerTo returns the address of a place.
func (b *lowerer) pointerTo(n cc.Node, p place) *value {
	if p.ptr == nil {
		return &value{kind: vPtr, pl: p, src: n}
	}
	return b.addressOfPlace(n, p)
}

// addressOfPlace returns the address of a place as an integer.
func (b *lowerer) addressOfPlace(n cc.Node, p place) *value {
	var v *value
	switch {
	case p.ptr == nil:
		v = b.constInt(b.baseOf(n, p.obj)+p.obj.offsetOf(p.base), b.ptrInt)
		v.to = targets{b.target(n, p.obj): true}
	case len(p.alts) == 0:
		return p.ptr
	default:
		a := p.alts[0]
		v = b.moved(p.ptr, b.constInt(1, b.ptrInt), a.obj.offsetOf(a.base+p.base)-a.obj.offsetOf(a.base))
	}
	for _, x := range p.idx {
		i := x.val
		if !b.opts.Check.Memory {
			i = b.withinArray(x)
		}
		v = b.moved(v, i, x.size)
	}
	v.src = n
	return v
}

// withinArray returns an index under the assumption that it is that of an element,
// or of what is right behind the last.
func (b *lowerer) withinArray(x index) *value {
	in := b.L.And(b.L.Le(b.L.Int(0), x.val.t), b.L.Le(x.val.t, b.L.Int(int64(x.n))))
	if b.impliedByType(in, x.val, int64(x.n)) {
		return x.val
	}
	b.assume(assumeBounds)
	i := *x.val
	i.side = append(i.side[:len(i.side):len(i.side)], in)
	i.rng = &interval{logic.IntValue(0), logic.IntValue(int64(x.n))}
	return &i
}

// moved returns the address that is size bytes, i times, behind another one. It is
// assumed that there is one.
func (b *lowerer) moved(v, i *value, size int64) *value {
	w := b.intValue(b.L.Add(v.t, b.L.Mul(b.L.Int(size), i.t)), b.ptrInt)
	w.side = append(append(w.side, v.side...), i.side...)
	w.to = v.to
	x, y := v.bounds(), i.bounds()
	lo, hi := product(y, interval{logic.IntValue(size), logic.IntValue(size)})
	lo, hi = lo.Add(x.lo), hi.Add(x.hi)
	if b.ptrInt.Contains(lo) && b.ptrInt.Contains(hi) {
		w.rng = &interval{lo, hi}
		return w
	}
	min, max := b.ptrInt.Range()
	if in := b.L.And(b.L.Le(b.L.Value(min), w.t), b.L.Le(w.t, b.L.Value(max))); !in.IsTrue() {
		w.side = append(w.side, in)
		b.assume(assumePointer)
	}
	return w
}

// offsetOf returns the offset of a cell in its object.
func (o *object) offsetOf(cell int) int64 {
	if cell < len(o.cells) {
		return o.cells[cell].off
	}
	return o.typ.size
}

// address returns a pointer as an integer, the address of a byte. It returns false
// for a pointer that is not known. What would be known if a cell were dynamic makes
// it so.
func (b *lowerer) address(n cc.Node, v *value) (*value, bool) {
	switch v.kind {
	case vInt:
		return v, true
	case vFunc:
		w := b.constInt(b.funcAddress(v.fn), b.ptrInt)
		w.to, w.src = targets{target{toFunc, v.fn}: true}, n
		return w, true
	case vStr:
		w := b.constInt(b.addressFor(fmt.Sprintf("string@%p", v.src), 1), b.ptrInt)
		w.to, w.src = targets{target{kind: toString}: true}, n
		return w, true
	case vPtr:
		if v.maybeNull {
			if v.from == nil {
				return nil, false
			}
			b.makeDynamic(n, v.from)
		}
		return b.addressOfPlace(n, v.pl), true
	case vUnknown:
		switch {
		case b.cur == nil:
			return b.constInt(0, b.ptrInt), true
		case v.any:
			tmp := b.newTemp(b.ptrInt)
			b.emit(n, "", ir.HavocCmd(tmp, ""))
			w := b.intValue(tmp.Sym, b.ptrInt)
			w.to, w.src = targets{}, n
			return w, true
		case v.from != nil:
			b.makeDynamic(n, v.from)
		}
	}
	return nil, false
}

// mustAddress is address for a pointer that has to be known.
func (b *lowerer) mustAddress(n cc.Node, v *value) *value {
	w, ok := b.address(n, v)
	if !ok {
		b.fail(n, "unsupported: pointer whose target is not known here")
	}
	return w
}

// scalar returns a value that is stored in a place of this type as an integer.
func (b *lowerer) scalar(n cc.Node, v *value, t *ctype) *value {
	if v.kind == vInt {
		return v
	}
	if t.kind != tPtr && !b.tracked(t) || v.kind == vAgg || v.kind == vVoid {
		b.fail(n, "unsupported: pointer stored as an integer")
	}
	v = b.mustAddress(n, v)
	if t.kind == tPtr {
		return v
	}
	return b.convert(n, v, t.it)
}

// pointee returns the type that an expression points to, nil if it is no pointer.
func (b *lowerer) pointee(n cc.ExpressionNode) *ctype {
	switch t := n.Type().(type) {
	case *cc.PointerType:
		return b.typeOf(t.Elem(), nil)
	case *cc.ArrayType:
		return b.typeOf(t.Elem(), nil)
	}
	return nil
}

// isPointer reports whether the type of an expression is a pointer, or an array that
// becomes one.
func isPointer(n cc.ExpressionNode) bool {
	k := n.Type().Kind()
	return k == cc.Ptr || k == cc.Array || k == cc.Function
}

// derefDynamic returns the place that the address v points to. t is the type that
// the program sees there.
func (b *lowerer) derefDynamic(n cc.Node, v *value, t *ctype) place {
	switch {
	case v.to.has(toResult):
		b.wantResults(n)
	case v.to.has(toInteger):
		b.fail(n, "unsupported: pointer made from an integer is dereferenced")
	case v.to.has(toString):
		b.fail(n, "unsupported: content of a string literal")
	case t == nil || t.kind == tVoid || t.kind == tFunc:
		b.fail(n, "unsupported: pointer whose target is not known here")
	case t.kind == tBad:
		b.fail(n, "unsupported: %s", t.why)
	}
	p := place{typ: t, ptr: v, alts: []alt{}}
	_, constant := v.t.Const()
	if x := b.varOf(v.t); len(v.side) > 0 || !constant && (x == nil || x.Thread == ir.Shared) {
		w := *v
		if b.pending(&w) {
			b.settle(true)
		}
		b.materialise(&w)
		p.ptr = &w
	}
	objects := 0
	for _, x := range v.to.sorted() {
		if x.kind != toObject {
			continue
		}
		for _, o := range b.objectsOf(n, x.name) {
			if !o.shared && o.thread != b.th.index {
				b.escape(n, o)
			}
			b.shape(n, o, t)
			objects++
			p.alts = append(p.alts, b.candidates(n, o, t)...)
		}
	}
	if objects > 0 && len(p.alts) == 0 {
		b.fail(n, "unsupported: pointer of another type than the variable it points to")
	}
	if len(p.alts) > maxCells {
		b.fail(n, "unsupported: pointer or indexes with more than %d possible places", maxCells)
	}
	return p
}

// derefKind returns the place of the library object that a pointer other than a vPtr
// points to.
func (b *lowerer) derefKind(n cc.Node, v *value, kind tkind) place {
	return b.derefDynamic(n, b.mustAddress(n, v), &ctype{kind: kind, cells: 1})
}

// candidates returns the parts of an object that are seen as a type.
func (b *lowerer) candidates(n cc.Node, o *object, t *ctype) []alt {
	base := b.baseOf(n, o)
	isByte := t.kind == tInt && t.size == 1
	var out []alt
	bytes, others, partly := false, false, false // scalars of one byte, others, structs that look similar
	var walk func(have *ctype, off int64, cell int)
	walk = func(have *ctype, off int64, cell int) {
		if sees(t, have) {
			if len(out) == 0 || out[len(out)-1].at != base+off {
				out = append(out, alt{base + off, o, cell})
			}
			return
		}
		partly = partly || off+t.size <= o.typ.size && alike(t, have)
		switch have.kind {
		case tArray:
			for i := range have.n {
				walk(have.elem, off+int64(i)*have.elem.size, cell+i*have.elem.cells)
			}
		case tStruct:
			for _, f := range have.fields {
				walk(f.typ, off+f.off, cell+f.cell)
			}
		case tInt:
			bytes = bytes || have.size == 1
			others = others || have.size != 1 || isByte // a byte, but of bits or a bool
		default:
			others = others || !have.kind.isLibrary()
		}
	}
	walk(o.typ, 0, 0)
	switch {
	case isByte && others:
		b.fail(n, "unsupported: access to single bytes of an object")
	case len(out) > 0:
	case bytes && !isByte, partly, o.heap != nil && !o.heap.site.exact:
		b.fail(n, "unsupported: pointer of another type than the variable it points to")
	default:
		b.assume(assumeTypes)
	}
	return out
}

// alike reports whether structs begin with members of the same type, so that a
// program may get at those of one as at those of the other.
func alike(want, have *ctype) bool {
	if want.kind != tStruct || have.kind != tStruct || len(want.fields) == 0 || len(have.fields) == 0 {
		return false
	}
	x, y := want.fields[0].typ, have.fields[0].typ
	return sees(x, y) || sees(y, x) || alike(x, y)
}

// sees reports whether an object of type have can be accessed as one of type want.
func sees(want, have *ctype) bool {
	switch {
	case want == have, want.kind == have.kind && want.kind.isLibrary():
		return true
	case want.kind != have.kind:
		return false
	case want.kind == tStruct && begins(want, have):
		return true
	case want.size != have.size:
		return false
	case want.kind == tInt:
		return want.it.Bits == have.it.Bits
	case want.kind == tStruct || want.kind == tArray:
		return sameShape(want, have)
	}
	return true
}

// begins reports whether a struct begins with the members of another one.
func begins(want, have *ctype) bool {
	if want.union || have.union || len(want.fields) > len(have.fields) || want.size > have.size {
		return false
	}
	for i, f := range want.fields {
		g := have.fields[i]
		if f.off != g.off || f.bit != g.bit || f.cell != g.cell || !sameShape(f.typ, g.typ) {
			return false
		}
	}
	return true
}

// pointerBounds returns the assumption that the pointer of a dynamic place is one to
// an object.
func (b *lowerer) pointerBounds(p place) []*logic.Term {
	if p.ptr == nil {
		return nil
	}
	var any []*logic.Term
	for _, a := range p.alts {
		any = append(any, b.L.Eq(p.ptr.t, b.L.Int(a.at)))
	}
	valid := b.L.Or(any...)
	if !valid.IsTrue() && !b.opts.Check.Memory {
		b.assume(assumePointer)
	}
	return append(append([]*logic.Term{}, p.ptr.side...), valid)
}

// warnInvalid warns about an access that is never valid.
func (b *lowerer) warnInvalid(n cc.Node, p place) {
	if p.ptr != nil {
		b.warn(n, "pointer is invalid")
		b.assume(assumePointer)
		return
	}
	b.warn(n, "array index is out of bounds")
	b.assume(assumeBounds)
}
