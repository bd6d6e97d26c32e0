package specialise

import (
	"bytes"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// instr runs an instruction.
func (b *builder) instr(in cir.Instr) {
	if a := in.Meta().Approx; a != "" && b.approximated(in, a) {
		return
	}
	switch in := in.(type) {
	case *cir.Unary:
		x := b.operand(in.X)
		if in.Dst.Type.IsFloat() {
			b.set(in.Dst, b.floatUnary(in.Op, x))
			return
		}
		b.set(in.Dst, b.unary(in.Op, x, in.Wrap))
	case *cir.Binary:
		x, y := b.operand(in.X), b.operand(in.Y)
		if in.Dst.Type.IsFloat() {
			b.set(in.Dst, b.floatBinary(in.Op, x, y))
			return
		}
		b.set(in.Dst, b.binary(in.Op, x, y, in.Wrap))
	case *cir.Overflow:
		v, over := b.overflowing(in.Op, b.operand(in.X), b.operand(in.Y), in.Dst.Type)
		b.set(in.Dst, v)
		b.set(in.Over, over)
	case *cir.Compare:
		b.set(in.Dst, b.comparison(in))
	case *cir.Convert:
		x := b.operand(in.X)
		if x.typ.IsPointer() && !in.Dst.Type.IsPointer() && !b.fr.fn.Library && b.isAddress(x, in.X) {
			b.assume(AssumeAddresses)
		}
		v := b.convert(x, in.Dst.Type)
		if x.unset != nil && v.unset == nil {
			w := *v
			w.unset, v = x.unset, &w
		}
		b.set(in.Dst, v)
	case *cir.Bitcast:
		v := *b.operand(in.X)
		v.at = nil
		b.set(in.Dst, b.retype(&v, cir.Access{Type: in.Dst.Type}))
	case *cir.Select:
		b.set(in.Dst, b.choose(b.operand(in.Cond), b.operand(in.X), b.operand(in.Y)))
	case *cir.Offset:
		b.set(in.Dst, b.offset(in))
	case *cir.Distance:
		b.set(in.Dst, b.distance(in))
	default:
		b.memory(in)
	}
}

// approximated runs an instruction that is not exact: its result is any value.
func (b *builder) approximated(in cir.Instr, name string) bool {
	switch in.(type) {
	case *cir.Call, *cir.Copy, *cir.Fill, *cir.Store, *cir.Fence, *cir.Intrinsic, *cir.Assumption:
		return false
	}
	rs := cir.Results(in)
	if len(rs) == 0 {
		return false
	}
	for _, r := range rs {
		b.set(r, b.anything(r.Type, name, b.site))
	}
	return true
}

// comparison compares integers, addresses or floats.
func (b *builder) comparison(in *cir.Compare) *value {
	x, y := b.operand(in.X), b.operand(in.Y)
	if x.typ.IsFloat() {
		return b.floatCompare(in.Pred, x, y)
	}
	if x.typ.IsPointer() && in.Pred != cir.Eq && in.Pred != cir.Ne && !sameObject(x, y) {
		b.assume(AssumeAddresses)
	}
	if !b.fr.fn.Library {
		b.noteAddresses(x, y)
	}
	if b.opts.Parametric && b.fr.fn.Library && (in.Pred == cir.Eq || in.Pred == cir.Ne) && (b.isElsewhere(x, in.X, y) || b.isElsewhere(y, in.Y, x)) {
		return b.constVal(cir.Bool, map[bool]int64{true: 1}[in.Pred == cir.Ne])
	}
	if x.typ.IsPointer() && b.literalsShare(b.literalsAt(x, in.X), b.literalsAt(y, in.Y)) {
		return b.anything(cir.Bool, "string literals that may share memory", b.site)
	}
	return b.compare(in.Pred, x, y)
}

// literalsAt returns the string literals that a pointer may point to.
func (b *builder) literalsAt(x *value, v cir.Value) (list []*cir.Global) {
	if x.at != nil {
		if g := x.at.obj.global; g != nil && g.Literal {
			list = append(list, g)
		}
		return list
	}
	if isNull(x) {
		return nil
	}
	for _, o := range b.aims(x, v) {
		if o.Global != nil && o.Global.Literal {
			list = append(list, o.Global)
		}
	}
	return list
}

// literalsShare reports whether two different ones of these literals may lie in one another: one ends as the other one does.
func (b *builder) literalsShare(xs, ys []*cir.Global) bool {
	for _, x := range xs {
		for _, y := range ys {
			if x != y && len(x.Relocs)+len(y.Relocs) == 0 && (bytes.HasSuffix(textOf(x), textOf(y)) || bytes.HasSuffix(textOf(y), textOf(x))) {
				return true
			}
		}
	}
	return false
}

// textOf returns the bytes of a literal.
func textOf(g *cir.Global) []byte {
	t := make([]byte, max(g.Size, 0))
	copy(t, g.Data)
	return t
}

// isElsewhere reports whether a pointer, which is v in the function, is not the address of main's control block that y is: the id of a
// thread, which is assumed to be one, is another thread's if nothing can have brought it main's.
func (b *builder) isElsewhere(x *value, v cir.Value, y *value) bool {
	if x.at != nil || y.at == nil || y.at.obj.global == nil || y.at.obj.global.Source != "first_thread" || !x.typ.IsPointer() {
		return false
	}
	list := b.aims(x, v)
	return len(list) > 0 && !slices.ContainsFunc(list, func(o *pointsto.Object) bool { return o.External || o == y.at.obj.abs })
}

// noteAddresses names what a comparison of values rests on that are addresses of objects, or made of them.
func (b *builder) noteAddresses(x, y *value) {
	if isNull(x) || isNull(y) || sameObject(x, y) {
		return
	}
	for _, v := range []*value{x, y} {
		at := v.at
		if at == nil && v.typ.IsPointer() {
			at = b.placeOf(v)
		}
		switch {
		case v.typ.IsInt():
			if p := b.placeOf(v); p != nil && p.off == 0 && v.typ.Bits == b.m.PointerBits {
				b.assume(AssumeAddresses) // such as the id of a thread
			}
		case at == nil:
		case len(at.idx) == 0 && at.off >= at.obj.size && at.obj.fn == nil:
			b.assume(AssumeAddresses)
		case at.obj.ended && at.obj.owner == b.th.index:
			b.assume(assumeReuse)
		}
	}
}

func isNull(v *value) bool {
	k, ok := v.t.Const()
	return ok && k.Sign() == 0
}

// isAddress reports whether a pointer may be one to an object, and not a number.
func (b *builder) isAddress(v *value, x cir.Value) bool {
	if v.at != nil {
		return true
	}
	if _, ok := v.t.Const(); ok {
		return b.placeOf(v) != nil
	}
	return len(b.pts.Targets(b.fr.fn, b.fr.ctx, x)) > 0
}

func sameObject(x, y *value) bool { return x.at != nil && y.at != nil && x.at.obj == y.at.obj }

// offset moves a pointer.
func (b *builder) offset(in *cir.Offset) *value {
	p := b.operand(in.P)
	v := b.result(b.m.Pointer(), p)
	v.t, v.at = b.L.Add(p.t, b.L.Int(in.Disp)), nil
	var at *place
	if p.at != nil {
		at = &place{obj: p.at.obj, off: p.at.off + in.Disp, idx: p.at.idx}
	}
	if in.Index != nil {
		x := b.operand(in.Index)
		v.side = append(v.side, x.side...)
		v.t = b.L.Add(v.t, b.L.Mul(x.t, b.L.Int(in.Scale)))
		switch k, ok := x.t.Const(); {
		case at == nil:
		case ok:
			switch n, small := k.Int64(); {
			case !small:
				at = nil
			case in.Len > 0 && (n < 0 || n >= in.Len) && b.opts.Check.Memory: // outside of an array that may be a part of the object
				at = moved(b.L, at, index{x.t, x.bounds(), in.Scale, in.Len, in.Of != nil})
			default:
				at.off += n * in.Scale
			}
		default:
			at = moved(b.L, at, index{x.t, x.bounds(), in.Scale, in.Len, in.Of != nil})
		}
	}
	v.at = at
	if at != nil && len(at.idx) == 0 {
		v.t = b.L.Int(at.obj.addr + at.off)
	}
	if k, ok := v.t.Const(); ok && at == nil {
		v.t = b.L.Value(wrapConst(k, b.heldBy(v.typ)))
	}
	return v
}

// moved adds an index to a place: one of the same scale that is there already is added up.
func moved(L *logic.Store, at *place, x index) *place {
	idx := at.idx
	if n := len(idx); n > 0 && idx[n-1].scale == x.scale {
		last := idx[n-1]
		sum := index{L.Add(last.t, x.t), interval{last.rng.lo.Add(x.rng.lo), last.rng.hi.Add(x.rng.hi)}, x.scale, 0, false}
		return &place{at.obj, at.off, append(idx[:n-1:n-1], sum)}
	}
	return &place{at.obj, at.off, append(idx[:len(idx):len(idx)], x)}
}

// distance subtracts pointers.
func (b *builder) distance(in *cir.Distance) *value {
	x, y := b.operand(in.X), b.operand(in.Y)
	v := b.result(in.Dst.Type, x, y)
	r, s := x.bounds(), y.bounds()
	v.t = b.wrap(b.L.Sub(x.t, y.t), r.lo.Sub(s.hi), r.hi.Sub(s.lo), irType(b.m.Diff()))
	if in.Size > 1 {
		v.t = b.L.TruncDiv(v.t, b.L.Int(in.Size))
	}
	if !sameObject(x, y) {
		b.assume(AssumeAddresses)
	}
	return v
}

// memory runs an instruction that accesses memory.
func (b *builder) memory(in cir.Instr) {
	switch in := in.(type) {
	case *cir.Load:
		b.noteOrder(in.Order)
		load := b.load
		if b.isIdle(in) {
			load = b.loadCopy
		}
		from := b.operand(in.Addr)
		v := load(from, in.Addr, in.Access)
		switch {
		case v == nil:
		case b.opts.ReadsAny(in): // the read itself is made: it may be invalid, or race
			b.set(in.Dst, b.anything(in.Dst.Type, "a relaxed read, which may return an old value", b.site))
		default:
			b.set(in.Dst, b.notMine(v, in, from))
		}
	case *cir.Store:
		b.noteOrder(in.Order)
		x, p := b.operand(in.X), b.operand(in.Addr)
		b.dropAfter(in)
		b.publish(x, in.X, p, in.Addr)
		x, p = b.surrender(x, in.X, p)
		b.store(p, in.Addr, x, in.Access)
	case *cir.Copy:
		b.copyBytes(in)
	case *cir.Fill:
		b.fill(in)
	case *cir.RMW:
		b.noteOrder(in.Order)
		b.rmw(in)
	case *cir.CmpXchg:
		b.noteOrder(in.Order)
		b.noteOrder(in.Failure)
		b.cmpXchg(in)
	case *cir.Fence:
		b.noteOrder(in.Order)
		b.fence(in)
	case *cir.Call:
		b.call(in)
	case *cir.LifeStart:
		b.lifeStart(in.Local)
	case *cir.LifeEnd:
		b.lifeEnd(in.Local)
	case *cir.Assumption:
		if b.pts.Matters(b.fr.fn, b.fr.ctx, in.Sentence) {
			b.assume(in.Sentence)
		}
	case *cir.Intrinsic:
		b.intrinsic(in)
	default:
		b.stack(in)
	}
}

// noteOrder says that weak all memory orders are treated as sequentially consistent.
func (b *builder) noteOrder(o cir.Order) {
	b.noteWeak(o)
	if o != cir.Plain && o != cir.SeqCst {
		b.assume(AssumeOrder)
	}
}

// lifeStart begins the life of a local: it holds nothing. If pointers to it may be misused, it is another object each time, unless
// control gets to the same use of it from several beginnings.
func (b *builder) lifeStart(l *cir.Local) {
	o := b.local(b.fr, l)
	if o.ended && b.opts.Check.Memory && b.loops == 0 && b.fr.shape.begun[l] == 1 {
		if b.fr.lives == nil {
			b.fr.lives = map[*cir.Local]int{}
		}
		b.fr.lives[l]++
		delete(b.fr.locals, l)
		o = b.local(b.fr, l)
	}
	b.begun(o)
	o.ended = false
	b.indeterminate(o)
	if o.vague || o.size <= 0 {
		return
	}
	if o.size > maxTracked {
		return
	}
	for _, c := range b.cellsAt(o, 0, o.size*8) {
		delete(b.cur.consts, c.v)
		if c.v.Thread == ir.Shared {
			if b.loops > 0 { // the first time it holds anything anyway
				b.settle(true, c.v)
				b.emit("", b.unsetCmd(c))
			}
			continue
		}
		b.settle(false, c.v)
		b.cur.undef[c] = true
	}
}

// returns reports whether nothing but a return follows an instruction of a block.
func returns(x *cir.Block, k int) bool {
	for {
		for _, in := range x.Instrs[k:] {
			if _, ok := in.(*cir.LifeEnd); !ok {
				return false
			}
		}
		j, ok := x.Term.(*cir.Jump)
		if !ok {
			_, ok = x.Term.(*cir.Return)
			return ok
		}
		if x == j.To {
			return false
		}
		x, k = j.To, 0
	}
}

// maxTracked is the size in bytes of locals whose indeterminate contents are tracked.
const maxTracked = 4096

// lifeEnd ends the life of a local.
func (b *builder) lifeEnd(l *cir.Local) {
	o := b.fr.locals[l]
	if o == nil {
		return
	}
	o.ended = true
	b.endsLife(o)
	o.outer = o.outer && returns(b.blk, b.step)
	b.forgetSet(o)
	for _, c := range o.cells {
		delete(b.cur.consts, c.v)
		delete(b.cur.undef, c)
	}
}
