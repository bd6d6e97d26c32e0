package specialise

import (
	"fmt"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// allocate makes an object of an allocation: one for each visit of its place, or in a loop that is not unrolled a
// bounded number, one after the other, at multiples of align if that is more than what all objects are aligned to.
func (b *builder) allocate(in cir.Instr, want *value, align int64, heap bool, name string) *value {
	size, exact := b.constSize(want)
	if !exact {
		mark := b.hold(want)
		size = b.mostBytes(in, want)
		want = b.held[mark]
		b.release(mark)
	}
	pos := b.pos()
	if name == "" {
		name = fmt.Sprintf("heap%d", pos.Line)
	}
	abs := b.pts.Object(b.fr.fn, b.fr.ctx, in)
	open := size < 0 && b.opts.Cells && heap && b.loops == 0 && !b.th.replicated && abs != nil && repeats(abs) > 0
	path := b.fr.path
	if b.fr.user != nil {
		path = b.userPath()
	}
	visit := b.visit(path + "." + name + "!" + b.fr.path)
	key := fmt.Sprintf("%s.%s@%d:%d#%d.%s", path, name, pos.Line, pos.Col, visit, b.fr.path)
	full := path + "." + name
	if visit > 0 {
		full = fmt.Sprintf("%s.visit%d.%s", path, visit+1, name)
	}
	if open = open && !b.facts.apartFor[key]; open {
		size = addressSpace / repeats(abs) * repeats(abs)
	}
	source := name
	if !b.userCalls(allocators) {
		source = ""
	}
	bp := blueprint{key: key, name: full, source: source, user: heap && source != "", pos: pos, by: b.allocator(), abs: abs, size: size, align: align, thread: ir.Shared, owner: b.th.index, heap: heap, local: !heap, shape: synthetic(abs, size), raw: b.userCalls(allocators), open: open}
	switch {
	case b.opts.Open && (b.loops > 0 || b.th.replicated):
		return b.allocateAny(bp, want)
	case b.loops > 0:
		return b.allocateNext(bp, want)
	}
	b.created++
	o := b.create(bp)
	mark := b.hold(want)
	if bp.local {
		b.keepStack(o)
	}
	b.begin(o)
	if want = b.held[mark]; o.size < 0 {
		b.beginsVague(o, b.L.Int(o.addr), want.t)
	}
	b.release(mark)
	if !exact && size >= 0 && !open { // how large it is does not matter
		b.setLimit(o, want)
	}
	b.cur.unescaped[o] = true
	b.indeterminate(o)
	for _, c := range o.cells {
		delete(b.cur.consts, c.v)
	}
	return b.pointerTo(o, 0)
}

// allocateAny makes an object that stands for any number of them: what they hold is not tracked.
func (b *builder) allocateAny(bp blueprint, want *value) *value {
	size := bp.size
	if size > 0 && size <= maxSummary {
		bp.each, bp.span = bp.shape, size
	}
	bp.shape, bp.size, bp.many = nil, -1, true
	bp.key += " of any number"
	b.create(bp)
	if old, ok := b.spans[bp.abs]; size < 0 || ok && old != size {
		size = 0
	}
	b.spans[bp.abs] = size
	mark := b.hold(want)
	v := b.anything(b.m.Pointer(), "memory allocated any number of times", b.site)
	if b.facts.next < anyAddress {
		_, hi := irType(v.typ).Range()
		v.rng = &interval{logic.IntValue(anyAddress), hi}
	}
	v.side = append(v.side, b.L.Le(b.L.Value(v.bounds().lo), v.t), b.L.Ne(v.t, b.L.Int(0)))
	if bp.align > alignment {
		v.side = append(v.side, b.L.Eq(b.L.Mod(v.t, b.L.Int(bp.align)), b.L.Int(0)))
	}
	if raw := bp.raw && b.watchesRaw(); raw || b.opts.Check.Race && size > 0 && b.facts.absBy[bp.abs] != nil {
		b.held[mark] = b.steady(b.held[mark])
		b.hold(v)
		b.watchObject(bp, v, b.held[mark].t, raw)
		v = b.held[mark+1]
	}
	b.release(mark)
	if s := b.summaryOf(bp.abs); s != nil && s.mine[b.th.index] != nil {
		v = b.makes(s, v)
	}
	return v
}

// maxAlignment is what objects are aligned to if it is not known what they have to be.
const maxAlignment = 1 << 16

// mostAligned returns what an object has to be aligned to that is wanted at a multiple of a power of two.
func (b *builder) mostAligned(want *value) int64 {
	if n, ok := b.constSize(want); ok {
		return n
	}
	b.assume(assumeAligned)
	want = b.steady(want)
	b.emit("", ir.AssumeCmd(b.L.Le(want.t, b.L.Int(maxAlignment))))
	return maxAlignment
}

// anyAddress is where objects begin that come to be any number of times: behind all others.
const anyAddress = 1 << 30

// watchObject notes which one of any number of objects has the byte that is watched (race.go): one of them at most. It is indeterminate
// there if raw says so.
func (b *builder) watchObject(bp blueprint, v *value, size *logic.Term, raw bool) {
	taken := b.sharedVar("taken."+bp.name, ir.Flag)
	in := b.hasWatched(v.t, size)
	b.settle(true)
	b.cur.depth++
	b.emit("", append(assumes(v.side), ir.AssumeCmd(b.L.Not(b.L.And(in, b.isTrue(taken)))), b.orIn(taken, in))...)
	if raw {
		b.tellWatched(b.L.And(in, b.looksAt(bp.abs, v.t)), b.L.True())
	}
	b.leaveAtomic()
}

// maxOpen bounds the size of objects whose size is not known, if its type or what it was computed of does.
const maxOpen = 1024

// minElements is the least bound of the elements of objects whose size is not known.
const minElements = 8

// mostBytes returns the largest size that an object may have whose size is not known, -1 if it is
// not tracked. A bound that the program does not have is assumed, and makes the program a bounded one.
func (b *builder) mostBytes(in cir.Instr, size *value) int64 {
	if b.loops > 0 {
		return -1
	}
	if hi, small := size.bounds().hi.Int64(); small && hi <= maxOpen {
		return hi
	}
	if b.opts.Open {
		return -1
	}
	elem, least := int64(1), int64(0)
	if a, ok := in.(*cir.Alloca); ok && a.Elem != nil {
		elem = max(a.Elem.Size, 1)
	} else if abs := b.pts.Object(b.fr.fn, b.fr.ctx, in); abs != nil {
		elem, least = b.elementSize(abs)
	}
	n := max(minElements, int64(b.opts.MaxThreads), (least+elem-1)/elem)
	if elem*n > maxOpen {
		return -1
	}
	b.bounded(fmt.Sprintf("at most %d elements of the memory allocated at %s", n, b.pos()))
	mark := b.hold(size)
	b.held[mark] = b.steady(size)
	b.emit("", ir.AssumeCmd(b.L.Le(b.held[mark].t, b.L.Int(elem*n))))
	b.release(mark)
	return elem * n
}

// elementSize returns the size of the elements of memory that the program allocates without saying of what, as it accesses it, and how
// many bytes it needs for the accesses at constant places.
func (b *builder) elementSize(abs *pointsto.Object) (elem, least int64) {
	if len(abs.How) == 0 {
		return max(repeats(abs), 8), 0 // it is set and copied only
	}
	elem = repeats(abs)
	if tail := tailOf(laidOut(abs)); tail != nil { // what is before them is there, too
		return tail.Shape.Elem.Size, tail.Offset + minElements*tail.Shape.Elem.Size
	}
	for a := range abs.How {
		_, bits := b.accessBits(cir.Access{Type: a.Type})
		if repeats(abs) == 0 {
			elem = max(elem, bits/8)
		}
		if a.Off != pointsto.Any {
			least = max(least, a.Off+bits/8)
		}
	}
	return max(elem, 1), least
}

// setLimit keeps how many bytes there are of an object.
func (b *builder) setLimit(o *object, size *value) {
	key := o.key + ".size"
	if o.limit == nil {
		thread := ir.Shared
		if !o.shared || !b.facts.isShared(key) {
			thread = b.th.index
		}
		o.limit = b.newVar(o.name+".size", "", irType(size.typ), thread)
		b.cellOf[o.limit] = &cell{obj: o, bit: -2, bits: 1, typ: size.typ, v: o.limit, key: key}
	}
	b.settle(true, o.limit)
	b.emit(b.text(), append(assumes(size.side), ir.AssignCmd(o.limit, size.t))...)
}

// limitOf returns how many bytes there are of an object.
func (b *builder) limitOf(o *object) *logic.Term {
	if k := b.cur.consts[o.limit]; k != nil {
		return k.t
	}
	return o.limit.Sym
}

// allocators are the functions of the library whose objects are the user's own, not the library's; deallocators those
// that end their lives.
var (
	allocators   = map[string]bool{"malloc": true, "calloc": true, "realloc": true, "reallocarray": true, "aligned_alloc": true, "memalign": true, "valloc": true, "posix_memalign": true, "strdup": true, "strndup": true, "pvalloc": true, "asprintf": true, "vasprintf": true}
	deallocators = map[string]bool{"free": true, "realloc": true, "reallocarray": true, "cfree": true}
)

// userCalls reports whether the program itself, or one of these functions that it calls, is what is being run.
func (b *builder) userCalls(fs map[string]bool) bool {
	fr := b.fr
	for fr.fn.Library && fr.parent != nil && fr.parent.fn.Library {
		fr = fr.parent
	}
	return !fr.fn.Library || fs[fr.fn.Source]
}

// userPath returns the path of the program's own code around here.
func (b *builder) userPath() string {
	fr := b.fr
	for fr.user != nil && fr.parent != nil {
		fr = fr.parent
	}
	return fr.path
}

// aliveVar returns the variable that tells whether an object lives, nil if nobody frees it or nobody asks.
func (b *builder) aliveVar(o *object) *ir.Var {
	if !b.tracksLife(o) && (!o.heap || o.abs == nil || !o.abs.Freed && !b.opts.Check.Memory && !b.opts.Check.atEnd()) {
		return nil
	}
	if o.alive == nil {
		thread := ir.Shared
		if !o.shared || !b.facts.isShared(o.key+".alive") {
			thread = b.th.index
		}
		o.alive = b.newVar(o.name+".alive", "", ir.Flag, thread)
		o.alive.Init = &logic.Value{}
		b.cellOf[o.alive] = &cell{obj: o, bit: -1, bits: 1, typ: cir.Bool, v: o.alive, key: o.key + ".alive"}
	}
	return o.alive
}

// begin begins the life of an object.
func (b *builder) begin(o *object) {
	if v := b.aliveVar(o); v != nil {
		b.settle(v.Thread == ir.Shared, v)
		b.emit(b.text(), ir.AssignCmd(v, b.L.Int(1)))
	}
}

// living returns the formula that an object lives.
func (b *builder) living(o *object) *logic.Term {
	v := b.aliveVar(o)
	if v == nil {
		return b.L.True()
	}
	if k := b.cur.consts[v]; k != nil {
		return b.L.Eq(k.t, b.L.Int(1))
	}
	return b.L.Eq(v.Sym, b.L.Int(1))
}

// ObjectsAllocated is part of the sentence of a bound that is one of the objects of an allocation.
const ObjectsAllocated = "objects are allocated"

// allocateNext makes the next object of a place in a loop that is not unrolled.
func (b *builder) allocateNext(bp blueprint, want *value) *value {
	n := b.opts.MaxAllocs
	b.bounded(fmt.Sprintf("at most %d %s at %s", n, ObjectsAllocated, b.pos()))
	mark := b.hold(want)
	b.settleAll()
	count := b.counter(bp.key)
	tmp := b.newTemp(irType(b.m.Pointer()))
	t := b.L.Int(0)
	var objs []*object
	for i := n - 1; i >= 0; i-- {
		x := bp
		x.key, x.name, x.source = fmt.Sprintf("%s_%d", bp.key, i), fmt.Sprintf("%s_%d", bp.name, i), numbered(bp.source, i)
		o := b.create(x)
		if bp.local {
			b.keepStack(o)
		}
		objs = append(objs, o)
		t = b.L.Ite(b.L.Eq(count.Sym, b.L.Int(int64(i))), b.L.Int(o.addr), t)
	}
	b.emit(b.text(), ir.AssumeCmd(b.L.Lt(count.Sym, b.L.Int(int64(n)))), ir.AssignCmd(tmp, t), ir.AssignCmd(count, b.L.Add(count.Sym, b.L.Int(1))))
	for _, o := range objs { // each comes to be once
		if v := b.aliveVar(o); v != nil {
			b.emit("", ir.AssignCmd(v, b.L.Ite(b.L.Eq(tmp.Sym, b.L.Int(o.addr)), b.L.Int(1), v.Sym)))
		}
	}
	b.hold(b.val(b.m.Pointer(), tmp.Sym))
	b.beginsVague(objs[0], tmp.Sym, b.held[mark].t)
	b.release(mark)
	return b.val(b.m.Pointer(), tmp.Sym)
}

func numbered(source string, i int) string {
	if source == "" {
		return ""
	}
	return fmt.Sprintf("%s_%d", source, i)
}

// counter returns the variable that counts the objects of a place.
func (b *builder) counter(key string) *ir.Var {
	if v := b.counters[key]; v != nil {
		return v
	}
	v := b.newVar(fmt.Sprintf("t%d.allocated", b.th.index), "", ir.Type{Bits: 16}, b.th.index)
	v.Init = &logic.Value{}
	b.counters[key] = v
	return v
}

// heapTargets returns the objects that a pointer may be the address of, with the conditions.
func (b *builder) heapTargets(p *value, v cir.Value) (list []target, vague bool) {
	if p.at == nil {
		p = &value{typ: p.typ, t: p.t, side: p.side, at: b.placeOf(p)}
	}
	if p.at != nil && len(p.at.idx) == 0 {
		if p.at.off == 0 && p.at.obj.heap {
			return []target{{b.L.True(), p.at.obj, 0}}, false
		}
		return nil, false
	}
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, v) {
		if l.Obj.External {
			vague = true
			continue
		}
		for _, o := range b.instances(l.Obj) {
			switch {
			case o.heap && o.vague:
				vague = true
			case o.heap:
				list = append(list, target{b.L.Eq(p.t, b.L.Int(o.addr)), o, 0})
			}
		}
	}
	return list, vague
}

// isHeap tells whether a pointer is the address of a live object of the heap.
func (b *builder) isHeap(p *value, in *cir.Intrinsic) *value {
	list, vague := b.heapTargets(p, in.Args[0])
	if vague {
		return b.anything(in.Dst.Type, "memory from outside", b.site)
	}
	c := b.L.False()
	for _, t := range list {
		c = b.L.Or(c, b.L.And(t.cond, b.living(t.obj)))
	}
	v := b.convert(b.condValue(c, p.side), in.Dst.Type)
	return v
}

// free ends the life of an object of the heap.
func (b *builder) free(in *cir.Intrinsic, p *value) {
	b.dropAfter(in)
	if b.userCalls(deallocators) {
		b.assume(assumeFree)
	}
	list, vague := b.heapTargets(p, in.Args[0])
	if vague {
		b.freesVaguely(in.Args[0])
	}
	ok := b.L.False()
	var cmds []ir.Cmd
	var writes []*ir.Var
	for _, t := range list {
		ok = b.L.Or(ok, b.L.And(t.cond, b.living(t.obj)))
		if v := b.aliveVar(t.obj); v != nil {
			n := b.L.Int(0)
			if !t.cond.IsTrue() {
				n = b.L.Ite(t.cond, n, v.Sym)
			}
			cmds = append(cmds, ir.AssignCmd(v, n))
			writes = append(writes, v)
		}
	}
	for _, at := range b.newestOf(in.Args[0]) {
		cmds = append(cmds, ir.AssignCmd(at, b.L.Ite(b.L.Eq(at.Sym, p.t), b.L.Int(0), at.Sym)))
		writes = append(writes, at)
	}
	if vague {
		ok = b.L.True()
		if b.opts.Check.Memory && b.userCalls(deallocators) {
			b.errorAs(Memory, "memory is freed that is not allocated: "+b.text(), ok, p.side, untracked)
		}
	}
	pending := &value{typ: cir.Bool, t: b.L.BoolToInt(ok), side: p.side}
	if pending = b.settleFor(pending); !ok.IsFalse() {
		ok = b.L.IntToBool(pending.t)
	}
	if !ok.IsTrue() {
		if b.userCalls(deallocators) {
			b.assume(assumePointer)
		}
		if b.opts.Check.Memory {
			b.errorIf(Memory, "memory is freed that is not allocated: "+b.text(), b.L.Not(ok), p.side)
		}
	}
	b.settle(true, writes...)
	if b.userCalls(deallocators) && b.asksRace() { // what the library frees of its own is none of the program's
		b.raceAll(list, 0, -1, true, "")
		if vague {
			b.raceVague(p, in.Args[0], kindOf(true, b.cur.depth > 0), extent{}, nil)
		}
	}
	b.emit(b.text(), append(append(assumes(p.side), ir.AssumeCmd(ok)), cmds...)...)
	if ok.IsFalse() {
		b.cur = nil
	}
}

// resize makes a larger or smaller copy of an object.
func (b *builder) resize(in *cir.Intrinsic, args []*value) {
	n, ok := b.constSize(args[1])
	if !ok {
		n = -1
	}
	list, vague := b.heapTargets(args[0], in.Args[0])
	v := b.allocate(in, args[1], 0, true, "")
	mark := b.hold(v, args[0])
	switch {
	case vague || n < 0 || len(list) == 0:
		b.onlyPartly(func() { b.havocBytes(v, in.Args[0], -1, "realloc of memory that is not tracked") })
	case len(list) == 1:
		b.copyRange(v, in.Args[0], args[0], in.Args[0], min(n, list[0].obj.size), nil)
	default:
		b.onlyPartly(func() { b.havocBytes(v, in.Args[0], -1, "realloc of one of several objects") })
	}
	v = b.held[mark]
	if b.cur != nil {
		b.free(in, b.held[mark+1])
	}
	b.release(mark)
	if b.cur != nil {
		b.set(in.Dst, v)
	}
}
