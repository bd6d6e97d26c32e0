package interp

import (
	"fmt"
	"slices"

	"comus/cir"
)

// intrinsic is how an Intrinsic is performed: how many arguments it has, and by what.
type intrinsic struct {
	args int
	do   func(t *thread, f *frame, in *inst, a []slot) bool
}

// intrinsics are all but Await and AwaitFrom.
var intrinsics map[cir.IntrinsicOp]intrinsic

func init() {
	intrinsics = map[cir.IntrinsicOp]intrinsic{
		cir.Nondet: {0, nondet}, cir.Assume: {1, assume}, cir.Assert: {1, assert}, cir.Undefined: {1, undefined},
		cir.AtomicBegin: {0, atomicBegin}, cir.AtomicEnd: {0, atomicEnd},
		cir.ThreadCreate: {4, threadCreate}, cir.ThreadExit: {0, threadExit}, cir.ThreadSelf: {0, threadSelf},
		cir.ThreadEnded: {1, threadEnded}, cir.ThreadMany: {1, threadMany}, cir.ThreadJoined: {1, nothing}, cir.ThreadCount: {0, threadCount}, cir.ThreadAlone: {0, threadAlone}, cir.Interrupt: {2, interrupt}, cir.Resume: {0, resume}, cir.Stop: {1, stop}, cir.Trap: {0, trap},
		cir.Alloc: {1, alloc}, cir.AllocAligned: {2, allocAligned}, cir.Free: {1, free}, cir.ObjectSize: {1, objectSize}, cir.IsHeap: {1, isHeap}, cir.IsSet: {2, isSet}, cir.IsConst: {1, isConst}, cir.Wakeups: {0, wakeups},
		cir.Resize: {2, resize}, cir.HavocBytes: {2, havocBytes}, cir.HavocReachable: {1, havocReachable},
		cir.Lock: {1, lock}, cir.Unlock: {1, unlock}, cir.Readers: {1, nothing}, cir.Apart: {4, apart}, cir.Given: {2, given}, cir.Setjmp: {1, setjmp}, cir.Longjmp: {2, longjmp},
		cir.FrameAddress: {1, anyAddress}, cir.ReturnAddress: {1, anyAddress}, cir.Reaching: {1, reaching},
		cir.Format: {4, format1}, cir.Print: {3, print1}, cir.WriteOut: {3, writeOut}, cir.ReadIn: {2, readIn}, cir.ReadLine: {2, readIn}, cir.Scan: {3, scan1},
		cir.Math: {2, math1}, cir.StrtoD: {1, strtoD}, cir.Assumed: {1, assumed}, cir.Approximation: {0, nothing},
	}
}

// intrinsic makes an Intrinsic's code.
func (c *compiler) intrinsic(in *cir.Intrinsic) {
	k, ok := intrinsics[in.Op]
	if !ok {
		c.bad("intrinsic %d", in.Op)
	}
	if len(in.Args) < k.args {
		c.bad("intrinsic %d with %d arguments instead of %d", in.Op, len(in.Args), k.args)
	}
	i := inst{d: -1, x: &extra{flow: flowCall, instr: in}}
	if in.Dst != nil {
		i.d = c.reg(in.Dst)
		c.check(in.Dst.Type)
	}
	for _, a := range in.Args {
		i.x.types = append(i.x.types, c.typ(a))
		i.x.args = append(i.x.args, c.arg(a))
	}
	do := k.do
	i.do = func(t *thread, f *frame, in *inst) bool {
		var small [4]slot
		a := small[:0]
		for _, r := range in.x.args {
			if f.tainted && f.taint[r] != 0 && !t.decides(f, r) {
				return false
			}
			a = append(a, f.s[r])
		}
		if in.d >= 0 {
			f.set(in.d, 0)
		}
		if t.m.opt.Atomics != nil && !changesNothing[cirOf(in).Op] {
			t.effects++
		}
		return do(t, f, in, a)
	}
	c.emit(i)
}

// give stores the result of an intrinsic, a small number.
func (f *frame) give(in *inst, v int64) bool {
	if in.d >= 0 {
		f.s[in.d] = slot{lo: uint64(v)}
	}
	return true
}

// cirOf is the instruction of cir.
func cirOf(in *inst) *cir.Intrinsic { return in.x.instr.(*cir.Intrinsic) }

func nothing(t *thread, f *frame, in *inst, a []slot) bool { return true }

func nondet(t *thread, f *frame, in *inst, a []slot) bool {
	i := cirOf(in)
	name := i.Name
	if t.m.opt.Handlers && delivers(f) {
		name = Signal
	}
	if i.Dst == nil {
		return true
	}
	var lo, hi uint64
	if t.m.opt.Atomics != nil && name == "" && ofOutput[f.fn.name()] {
		t.m.note("assumption", "output does not fail, and leaves errno as it is", nil)
	} else if open, seen := t.serialIsOpen(f); open && !seen {
		lo = 0
	} else if open {
		t.m.opt.Observer.Unknown("which thread a barrier tells apart")
	} else if t.m.opt.Nondet != nil {
		lo, hi = t.m.opt.Nondet(name, i.Dst.Type)
	}
	switch ty := i.Dst.Type; {
	case ty.IsPointer():
		f.s[in.d] = t.m.pointerTo(lo)
	case ty.IsInt():
		f.s[in.d] = normal(lo, hi, ty)
	default:
		f.s[in.d] = slot{lo: lo, hi: hi}
	}
	return true
}

func assume(t *thread, f *frame, in *inst, a []slot) bool {
	if a[0].lo == 0 && t.m.opt.Atomics != nil { // others may have done something before
		t.m.opt.Atomics.Stuck(t.id)
		return t.stick()
	}
	if a[0].lo == 0 {
		t.m.stop(Assumed, "", "")
		return false
	}
	return true
}

func assert(t *thread, f *frame, in *inst, a []slot) bool {
	if a[0].lo == 0 && t.m.opt.Atomics != nil && t.m.opt.Atomics.AssertFails(t.id) {
		return t.stick()
	}
	if a[0].lo == 0 {
		t.m.stop(AssertFails, "", cirOf(in).Name)
		return false
	}
	return true
}

func undefined(t *thread, f *frame, in *inst, a []slot) bool {
	if a[0].lo == 0 {
		t.m.stop(Undefined, cirOf(in).Check, cirOf(in).Name)
		return false
	}
	return true
}

func atomicBegin(t *thread, f *frame, in *inst, a []slot) bool {
	if !t.beginExchange(f) {
		return true
	}
	t.enter(f)
	if t.hb != nil {
		t.m.races.begin(t, f, cirOf(in).Name == cir.OneObject)
	}
	return true
}

func atomicEnd(t *thread, f *frame, in *inst, a []slot) bool {
	if t.atomic == 0 { // sections have to be nested
		t.m.stop(Undefined, cirOf(in).Check, "the end of an atomic section that did not begin")
		return false
	}
	t.atomic--
	if t.hb != nil {
		t.m.races.end(t, f, cirOf(in).Name == cir.OneObject)
	}
	if t.section != nil && t.atomic == 0 {
		t.endExchange()
	}
	return true
}

func threadCreate(t *thread, f *frame, in *inst, a []slot) bool {
	m := t.m
	p := a[0]
	if p.obj == nil {
		p = m.pointerTo(p.lo)
	}
	if p.obj == nil || p.obj.kind != codeObject || p.lo != 0 {
		return m.undefined(CheckMemory, "a thread is to call what is no function")
	}
	c := p.obj.owner
	if len(c.f.Blocks) == 0 {
		m.stop(Missing, "", c.f.Name)
		return false
	}
	if len(c.f.Params) > 3 || slices.ContainsFunc(c.f.Params, func(p cir.Param) bool { return !p.Reg.Type.IsPointer() }) {
		m.stop(Undefined, CheckCall, "a thread calls "+c.f.Name+", which does not take up to three pointers")
		return false
	}
	c.compile()
	if m.opt.Observer != nil {
		m.opt.Observer.Creates(len(m.threads))
		m.touches(placeOfThreads, 8, true)
		if c.f.Library && c.name() == "deliver" {
			m.opt.Observer.Unknown("a handler of signals")
		}
	}
	n := m.newThread()
	if n.parent = t.self().id; t.hb != nil {
		n.born = m.places.of(f)
	}
	n.signals = c.f.Library && c.name() == "deliver"
	if m.races != nil {
		m.races.several = m.races.several || !n.signals
	}
	if n.signals && !m.opt.Handlers {
		n.hb = nil // a handler of signals, which runs in one of the other threads: no races are looked for there
	}
	g := n.newFrame(c)
	for i, p := range c.f.Params {
		g.s[p.Reg.Index] = a[1+i]
	}
	n.push(g)
	f.give(in, int64(n.id))
	t.unused += t.left // the slice ends here, or with the atomic section
	t.left = 0
	return true
}

func threadExit(t *thread, f *frame, in *inst, a []slot) bool {
	if t.within != nil {
		t.m.approximate("the end of a thread in a handler of signals", in.x.site)
		t.resume()
	}
	t.clear()
	t.m.endThread(t)
	t.ev = yields
	return false
}

func threadSelf(t *thread, f *frame, in *inst, a []slot) bool { return f.give(in, int64(t.self().id)) }

func threadEnded(t *thread, f *frame, in *inst, a []slot) bool {
	n := a[0].lo
	t.m.observe(placeOfEnd(n), 8, false)
	if name := f.fn.name(); t.m.opt.Atomics != nil && name != "pthread_join" && name != "pthread_detach" {
		t.m.opt.Observer.Unknown(name + " asks whether a thread has ended")
	}
	ended := n < uint64(len(t.m.threads)) && t.m.threads[n].ended
	if ended && t.hb != nil && t.m.threads[n].hb != nil {
		t.m.races.ended(t, f, t.m.threads[n])
	}
	return f.give(in, int64(truth(ended)))
}

func threadCount(t *thread, f *frame, in *inst, a []slot) bool {
	t.m.observe(placeOfThreads, 8, false)
	if t.m.opt.Atomics != nil && len(t.m.threads) > 1 {
		t.m.opt.Observer.Unknown(f.fn.name() + " asks how many threads there are")
	}
	return f.give(in, int64(len(t.m.threads)))
}

// stop ends the program. If it is exit's model that calls it, destructors run first.
func stop(t *thread, f *frame, in *inst, a []slot) bool {
	m := t.m
	status := int(int32(a[0].lo))
	if m.exiting || m.nested > 0 || len(m.prog.Destructors) == 0 || f.fn.f.Source != "exit" && f.fn.f.Name != "exit" {
		return m.exit(status)
	}
	m.observe(0, Everywhere, true)
	m.status, m.exiting, m.phase = status, true, isPlain // the entry will not return
	m.todo = nil
	if t.hb != nil && t.id != 0 && m.threads[0].hb != nil {
		m.threads[0].hb.Follow(t.hb.Thread)
	}
	for _, d := range m.prog.Destructors {
		m.todo = append(m.todo, pending{d, isPlain})
	}
	// The other threads have no say any more; thread 0 performs what is left.
	for _, o := range m.threads {
		o.clear()
		o.ended = o.id != 0
		o.waits = false
	}
	if err := m.nextPending(m.threads[0]); err != nil {
		return m.fail(err)
	}
	t.ev = yields
	return false
}

func trap(t *thread, f *frame, in *inst, a []slot) bool {
	if t.m.opt.Atomics != nil { // others may have done something before
		t.m.opt.Atomics.Stuck(t.id)
		return t.stick()
	}
	t.m.stop(Aborted, "", "")
	return false
}

func alloc(t *thread, f *frame, in *inst, a []slot) bool {
	if in.d < 0 {
		return true
	}
	f.s[in.d] = slot{obj: t.m.heap(a[0].lo)}
	t.m.allocated(f.s[in.d].obj)
	return true
}

func allocAligned(t *thread, f *frame, in *inst, a []slot) bool {
	ok := alloc(t, f, in, a)
	if in.d >= 0 {
		o := f.s[in.d].obj
		if o.align = max(int64(a[1].lo), heapAlign); t.m.opt.Observer != nil {
			t.m.reserve(o)
		}
	}
	return ok
}

// allocated notes where an object of the heap comes from, if that matters. What a model allocates is the
// library's own, but for those that allocate for the program.
func (m *Machine) allocated(o *Object) {
	if m.cur == nil || m.cur.fr == nil {
		return
	}
	f := m.cur.fr
	if f.fn.f.Library {
		switch f.fn.name() {
		case "any_string", "setenv":
			o.internal, o.visible = true, true
		case "malloc", "memalign", "realloc", "put_characters":
		default:
			o.internal = true
		}
	}
	if m.races != nil || m.opt.Leaks {
		shadowOf(o).born = m.places.of(f)
	}
	if m.opt.Leaks {
		m.heaped = append(m.heaped, o)
	}
}

// heapAlign is the alignment of objects on the heap, as glibc has it.
const heapAlign = 16

// heap makes an object on the heap.
func (m *Machine) heap(n uint64) *Object {
	if n > 1<<62 {
		panic(limit(fmt.Sprintf("an object of %d bytes", n)))
	}
	o := m.newObject("heap object", int64(n), heapAlign, true)
	o.kind = heapObject
	return o
}

// heapAt returns the object on the heap that begins at p, or nil.
func (m *Machine) heapAt(p slot) *Object {
	if p.obj == nil && p.lo != 0 {
		p = m.pointerTo(p.lo)
	}
	if p.obj == nil || p.lo != 0 || p.obj.kind != heapObject || p.obj.dead {
		return nil
	}
	return p.obj
}

// release ends the life of an object on the heap.
func (t *thread) free(p slot) bool {
	o := t.m.heapAt(p)
	if t.m.opt.Atomics != nil && o != nil && !o.internal {
		t.m.note("assumption", assumeFree, nil)
	}
	if o == nil {
		why := "free of a pointer that is none of malloc's"
		if p.obj != nil && p.obj.kind == heapObject && p.obj.dead {
			why = "free of an object that is free"
		}
		return t.m.undefined(CheckMemory, why)
	}
	if t.hb != nil {
		if t.m.races.free(t, o); t.m.done {
			return false
		}
	}
	t.m.end(o)
	t.m.version++
	return true
}

func free(t *thread, f *frame, in *inst, a []slot) bool { return t.free(a[0]) }

func objectSize(t *thread, f *frame, in *inst, a []slot) bool {
	p := a[0]
	if p.obj == nil {
		p = t.m.pointerTo(p.lo)
	}
	if p.obj == nil || p.obj.dead {
		return t.m.undefined(CheckMemory, "the size of an object that does not exist")
	}
	t.m.observeLife(p.obj, false)
	return f.give(in, p.obj.size)
}

func isHeap(t *thread, f *frame, in *inst, a []slot) bool {
	p := a[0]
	if p.obj == nil && p.lo != 0 {
		p = t.m.pointerTo(p.lo)
	}
	if p.obj != nil {
		t.m.observeLife(p.obj, false)
	}
	return f.give(in, int64(truth(t.m.heapAt(p) != nil)))
}

func isConst(t *thread, f *frame, in *inst, a []slot) bool {
	return f.give(in, int64(truth(a[0].obj != nil && a[0].obj.readonly)))
}

// threadAlone stops all other threads. What they did may have been half done when the copy was made: nothing orders it before what follows.
func threadAlone(t *thread, f *frame, in *inst, a []slot) bool {
	if t.m.opt.Observer != nil {
		t.m.opt.Observer.Unknown("a copy of the process")
	}
	for _, u := range t.m.threads {
		u.gone = u != t
	}
	t.m.version++
	return true
}

func threadMany(_ *thread, f *frame, in *inst, _ []slot) bool { return f.give(in, 0) }

func wakeups(t *thread, f *frame, in *inst, _ []slot) bool {
	return f.give(in, int64(t.m.opt.Wakeups))
}

func isSet(t *thread, f *frame, in *inst, a []slot) bool {
	set, ok := t.areSet(a[0], int64(a[1].lo))
	switch {
	case !ok:
		return false
	case !set:
		return f.give(in, 0)
	}
	return f.give(in, 1)
}

func given(t *thread, f *frame, in *inst, a []slot) bool {
	set, ok := t.areSet(a[0], int64(a[1].lo))
	return ok && (set || t.m.indeterminate())
}

// areSet reports whether no bit of n bytes at an address is indeterminate. If there are no such bytes, the run ends.
func (t *thread) areSet(at slot, n int64) (set, ok bool) {
	if n <= 0 {
		return true, true
	}
	o, off, ok := t.reach(at, n, false)
	for set = ok; set && n > 0; {
		k := min(n, pageSize)
		_, set = t.m.bytesAt(o, off, k)
		off, n = off+k, n-k
	}
	return set, ok
}

func apart(t *thread, f *frame, in *inst, a []slot) bool {
	return t.apart(a[0], int64(a[1].lo), a[2], int64(a[3].lo))
}

// apart reports whether n bytes and m bytes have none in common, or else whether the run goes on.
func (t *thread) apart(to slot, n int64, from slot, m int64) bool {
	if n <= 0 || m <= 0 {
		return true
	}
	x, p, ok := t.reach(to, 1, false)
	if !ok {
		return false
	}
	y, q, ok := t.reach(from, 1, false)
	if !ok {
		return false
	}
	return x != y || q-p >= n || p-q >= m || t.m.undefined(CheckMemory, overlapping)
}

// overlapping is why a copy has no meaning.
const overlapping = "the memory that is copied overlaps"

func resize(t *thread, f *frame, in *inst, a []slot) bool {
	o := t.m.heapAt(a[0])
	if o == nil {
		return t.free(a[0])
	}
	if t.hb != nil {
		if t.m.races.free(t, o); t.m.done {
			return false
		}
	}
	if len(o.weak) > 0 { // the bytes are those of the write that was read last
		t.m.opt.Observer.Unknown("realloc of an object that atomic accesses are of")
	}
	n := t.m.heap(a[1].lo)
	t.m.allocated(n)
	if t.hb != nil { // a write of this thread, like what calloc fills
		if t.m.races.access(t, slot{obj: n}, min(n.size, o.size), true, false); t.m.done {
			return false
		}
	}
	t.m.copyBytes(n, 0, o, 0, min(n.size, o.size))
	t.m.end(o)
	if in.d >= 0 {
		f.s[in.d] = slot{obj: n}
	}
	return true
}

func havocBytes(t *thread, f *frame, in *inst, a []slot) bool {
	n := int64(a[1].lo)
	if n == 0 {
		return true
	}
	o, off, ok := t.valid(a[0], n, true)
	if !ok {
		return false
	}
	for i := range n {
		var b uint64
		if t.m.opt.Nondet != nil {
			b, _ = t.m.opt.Nondet("", cir.U8)
		}
		t.m.write(o, off+i, []byte{byte(b)}, nil)
	}
	if t.m.opt.Tracer != nil {
		t.m.opt.Tracer.Writes(Value{Type: t.m.prog.Model.Pointer(), Lo: uint64(off), Obj: o}, t.m.contents(o, off, n), Value{})
	}
	return true
}

func havocReachable(t *thread, f *frame, in *inst, a []slot) bool {
	t.m.approximate("everything reachable from a pointer may change; here it stays", in.x.site)
	return true
}

// reaching takes the pointer that is given, which is one of those that may be.
func reaching(t *thread, f *frame, in *inst, a []slot) bool {
	if in.d >= 0 {
		t.fr.s[in.d] = a[0]
	}
	return true
}

// anyAddress gives each activation a frame, and each call a place to return to.
func anyAddress(t *thread, f *frame, in *inst, a []slot) bool {
	for n := a[0].lo; f != nil && n > 0; n-- {
		f = f.caller
	}
	var p slot
	switch {
	case f == nil:
	case cirOf(in).Op == cir.ReturnAddress:
		if f.caller != nil {
			p = slot{obj: t.m.code(f.caller.fn.f), lo: uint64(f.caller.pc)}
		}
	default:
		if f.self == nil {
			f.self = t.m.newObject("frame of "+f.fn.f.Name, 16, 16, true)
		}
		p.obj = f.self
	}
	if in.d >= 0 {
		t.fr.s[in.d] = p
	}
	return true
}

func assumed(t *thread, f *frame, in *inst, a []slot) bool {
	t.m.note("assumption", cirOf(in).Name, in.x.site)
	if in.d >= 0 {
		f.s[in.d] = t.adapt(a[0], in.x.types[0], cirOf(in).Dst.Type)
	}
	return true
}
