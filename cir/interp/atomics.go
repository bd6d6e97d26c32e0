package interp

import (
	"encoding/binary"

	"comus/cir"
	"comus/cir/interp/happens"
)

// Weak memory: with Options.Atomics somebody else says which write an atomic access reads. All writes of an atomic object are kept, with what each releases. Before
// an access, memory is made what it was behind the write that is read, so that the access itself is performed as always.
//
// A plain access of the same bytes as an atomic one counts as one of the weakest kind, for what it reads; races are found as always. One of a volatile object counts as relaxed, and races with no other such
// one: that is what it is for machines and compilers, though not for C. Who takes it for that has to say so. What an object held before its
// first atomic access is its first write, which everything else follows: that holds where its initialisation does not race with anything.

// An Atomics lets threads read what a weak memory model lets them. It needs an [Observer].
type Atomics interface {
	// Comes says that a thread has come to an access, and is told by which write the object got what the access reads: the number of it among the object's writes in
	// this run, 0 for what it held at first. If the access is not to be made now, the thread's turn ends, and it comes again.
	Comes(a *Atomic) (write int, now bool)
	// Did says what the access that has come last has done.
	Did(a *Atomic, e Effect)
	// Idle says that an iteration of a loop has changed nothing, so that the next one does the same unless it reads something else. If it
	// says so, the thread takes no more steps, and Stuck is the same for a thread that is known to have to wait for ever. If the iteration has taken a lock and given it back, lock is where that is;
	// others that try to take it may notice.
	Idle(thread int, lock uint64) (stays bool)
	Stuck(thread int)
	// Racy says that plain accesses of what is at a place count as atomic ones of the weakest kind, too.
	Racy(place uint64) bool
	// AssertFails says that an assertion of a thread fails, and reports whether that ends no more than the thread.
	AssertFails(thread int) (stays bool)
	// Outside says that a function without a body is called, or how the program ends: what it does may depend on what other threads have done.
	Outside(name string)
	// Reads says that the program has read from its input.
	Reads()
	// Before reports whether all accesses of a byte that Atomics was told of and another thread has made, of which there are some, come before what a thread does next in each order of the run: by program
	// order and what was read from whom, even if that does not synchronise.
	Before(thread, other int, byte uint64) bool
	// Joins says that a thread has seen that another one has ended.
	Joins(thread, ended int)
}

// AtomicKind is what an atomic access does.
type AtomicKind uint8

// The kinds. A lock is a compare and exchange of a mutex that is free; if it is not, the thread waits for ever.
const (
	AtomicLoad AtomicKind = iota
	AtomicStore
	AtomicUpdate   // a read-modify-write
	AtomicExchange // a compare and exchange
	AtomicFence
	AtomicLock
	AtomicUnlock
)

// Reads and Writes tell what a kind may do.
func (k AtomicKind) Reads() bool {
	return k != AtomicStore && k != AtomicFence && k != AtomicUnlock
}

// Atomic is an access that a thread makes.
type Atomic struct {
	Thread  int
	Kind    AtomicKind
	Place   uint64 // as observers have it
	Size    int64
	Order   cir.Order // Plain: the access is not atomic
	Failure cir.Order // of an exchange that fails
	// Weak says that an exchange may fail without a reason: Comes sets Fails if it is to.
	Weak, Fails bool
	// Looks says that an exchange may turn out to fail by no more than a read, and is no fence then on any processor: the library looks at an object before it changes it.
	Looks bool
	// Volatile says that the access is one of a volatile object, and no atomic one: it counts as relaxed.
	Volatile bool
	Site     *cir.Site
	Object   string // what reports call the object
}

// Effect is what an access has done.
type Effect struct {
	Read, Written uint64 // the first eight bytes
	Wrote         bool   // a compare and exchange that fails does not
}

// cells are the bytes of an object that atomic accesses are of.
type cells struct {
	o      *Object
	off, n int64
	place  uint64
	writes []write
	own    map[int]happens.Heads // the sequences that each thread heads
	last   map[int]int           // the last write of each thread
}

// write is what bytes are behind a write.
type write struct {
	data, undef [16]byte
	provs       []placedProv
	heads       happens.Heads
}

// value is the number that the first bytes are.
func (w *write) value() uint64 { return binary.LittleEndian.Uint64(w.data[:]) }

// take returns what the bytes are now.
func (c *cells) take(m *Machine) (w write) {
	m.read(c.o, c.off, w.data[:c.n], w.undef[:c.n])
	w.provs = m.provsOf(c.o, c.off, c.n)
	w.heads = shadowOf(c.o).mem.Heads(c.off, c.n)
	return w
}

// restore makes the bytes what they were behind a write.
func (c *cells) restore(m *Machine, i int) {
	w := &c.writes[i]
	m.write(c.o, c.off, w.data[:c.n], w.undef[:c.n])
	for _, e := range w.provs {
		m.setProv(c.o, c.off+e.at, e.prov)
	}
	shadowOf(c.o).mem.SetHeads(c.off, c.n, w.heads)
}

// mostAtomic is how large an access is at most.
const mostAtomic = 16

// cellsAt returns the cells of an access; nil if it is plain, and no atomic access was of these bytes.
func (t *thread) cellsAt(p slot, n int64, plain bool) *cells {
	if p.obj == nil && p.lo != 0 {
		p = t.m.pointerTo(p.lo)
	}
	o, off := p.obj, int64(p.lo)
	if o == nil || o.dead || plain && len(o.weak) == 0 && !t.racy(o, off) || o.kind == codeObject || o.kind == labelObject || off < 0 || n <= 0 || off > o.size || n > o.size-off {
		return nil
	}
	if c := o.weak[off]; c != nil && c.n == n {
		return c
	}
	if plain && !t.racy(o, off) {
		return nil // whether it touches some, the observer is told
	}
	switch {
	case o.place == 0 || o.private:
		return nil // no other thread knows it
	case n > mostAtomic:
		t.m.opt.Observer.Unknown("a large atomic access")
		return nil
	}
	for _, c := range o.weak {
		if c.off < off+n && off < c.off+c.n {
			t.m.opt.Observer.Unknown("atomic accesses of different sizes")
			return nil
		}
	}
	c := &cells{o: o, off: off, n: n, place: o.place + uint64(off), own: map[int]happens.Heads{}, last: map[int]int{}}
	c.writes = []write{c.take(t.m)}
	c.writes[0].heads = nil
	if o.weak == nil {
		o.weak = map[int64]*cells{}
	}
	o.weak[off] = c
	return c
}

// racy reports whether plain accesses of an object are accesses that Atomics decides.
func (t *thread) racy(o *Object, off int64) bool {
	return o.place != 0 && !o.private && t.m.opt.Atomics != nil && t.m.opt.Atomics.Racy(o.place+uint64(off))
}

// weakly performs an access. do performs it once memory is what it is to be, and says whether it writes.
func (t *thread) weakly(f *frame, c *cells, kind AtomicKind, weak bool, order, failure cir.Order, do func() (wrote, ok bool)) bool {
	return t.weaklyAs(f, c, kind, weak, false, order, failure, do)
}

// weaklyAs is weakly for an access that may be one of a volatile object.
func (t *thread) weaklyAs(f *frame, c *cells, kind AtomicKind, weak, volatile bool, order, failure cir.Order, do func() (wrote, ok bool)) bool {
	m := t.m
	if t.atomic > 0 && order != cir.Plain {
		m.opt.Observer.Unknown("an atomic access in an atomic section")
	}
	a := &Atomic{Thread: t.self().id, Kind: kind, Order: order, Failure: failure, Site: f.site(), Weak: weak, Volatile: volatile}
	if c != nil {
		a.Place, a.Size, a.Object = c.place, c.n, c.o.name
	}
	from, now := m.opt.Atomics.Comes(a)
	switch {
	case !now && t.atomic > 0:
		m.opt.Observer.Unknown("an access in an atomic section would have to wait")
		return true
	case !now:
		f.pc--
		t.endTurn()
		return true
	}
	var e Effect
	if c != nil {
		if kind.Reads() {
			c.restore(m, from)
			e.Read = c.writes[from].value()
		}
		if i, wrote := c.last[a.Thread]; wrote && kind == AtomicUnlock { // not what another thread has read last, which tries to take the lock
			c.restore(m, i)
		}
		heads := c.own[a.Thread]
		switch {
		case kind == AtomicStore || kind == AtomicUnlock:
			shadowOf(c.o).mem.SetHeads(c.off, c.n, heads)
		case kind != AtomicLoad:
			shadowOf(c.o).mem.SetHeads(c.off, c.n, c.writes[from].heads.And(heads))
		}
	}
	quiet := m.quiet
	m.quiet, t.fails = true, a.Fails
	wrote, ok := do()
	m.quiet, t.fails = quiet, false
	if !ok || m.done {
		return false
	}
	if wrote && c != nil {
		w := c.take(m)
		if order == cir.Plain {
			w.heads = nil
		}
		c.own[a.Thread] = w.heads.Of(a.Thread)
		c.last[a.Thread] = len(c.writes)
		c.writes = append(c.writes, w)
		e.Wrote, e.Written = true, w.value()
	}
	if kind == AtomicStore || e.Wrote && (kind == AtomicUnlock || c.writes[len(c.writes)-1].data != c.writes[from].data) {
		t.effects++
	}
	m.opt.Atomics.Did(a, e)
	if t.atomic == 0 {
		t.endTurn()
	}
	return true
}

// endTurn ends the thread's turn behind this instruction.
func (t *thread) endTurn() {
	if t.left > 0 {
		t.unused, t.left = t.unused+t.left, 0
	}
}

// stick has the thread take no more steps.
func (t *thread) stick() bool {
	t.stuck, t.ev = true, yields
	t.endTurn()
	return false
}

// weakScalar performs a load or store, if it is one that Atomics decides.
func (t *thread) weakScalar(do handler, f *frame, in *inst, write bool) (goesOn, is bool) {
	if t.section != nil {
		return false, false
	}
	a := &in.x.acc
	p, n := t.m.races.extent(f.s[in.a], a)
	c := t.cellsAt(p, n, a.Order == cir.Plain)
	if write && (c == nil || a.Order == cir.Plain) && (p.obj == nil || !p.obj.private) {
		t.effects++
	}
	if c == nil {
		return false, false
	}
	kind := AtomicLoad
	if write {
		kind = AtomicStore
	}
	volatile := a.Whole(&t.m.prog.Model)
	if volatile {
		relaxed := *a
		relaxed.Order = cir.Relaxed
		a = &relaxed
	}
	order := a.Order
	if write && f.fn.f.Library && f.fn.role() == onceRole { // that the function of pthread_once has returned
		order = cir.Release
	}
	return t.weaklyAs(f, c, kind, false, volatile, order, 0, func() (bool, bool) {
		t.m.races.scalar(t, f.s[in.a], a, write)
		return write, !t.m.done && do(t, f, in)
	}), true
}

// assumeStrong is taken for granted in loops, which try again: what comes of a failure without a reason comes of none as well, if a loop does nothing but that.
const assumeStrong = "a weak compare and exchange in a loop fails only if the values differ"

// weakHandler makes the handler of an access that has one of its own.
func weakHandler(kind AtomicKind, do func(t *thread, f *frame, in *inst) (wrote, ok bool)) handler {
	return func(t *thread, f *frame, in *inst) bool {
		a := &in.x.acc
		c := t.cellsAt(f.s[in.a], t.m.prog.Model.SizeOf(a.Type), false)
		if c == nil {
			_, ok := do(t, f, in)
			return ok
		}
		failure, _ := in.x.instr.(cir.Order)
		weak := kind == AtomicExchange && in.imm > 0
		if in.imm == 2 && weak {
			weak = false
			t.m.note("assumption", assumeStrong, nil)
		}
		return t.weakly(f, c, kind, weak, a.Order, failure, func() (bool, bool) { return do(t, f, in) })
	}
}

// weakLock performs an operation on a lock.
func (t *thread) weakLock(f *frame, p slot, kind AtomicKind, do func() bool) bool {
	c := t.cellsAt(p, 4, false)
	if c == nil {
		return do()
	}
	order := cir.Acquire
	if kind == AtomicUnlock {
		order = cir.Release
	}
	held := false
	if !t.weakly(f, c, kind, false, order, 0, func() (bool, bool) {
		if kind == AtomicLock && int32(c.now(t.m)) > 0 {
			held = true
			return false, true
		}
		return true, do()
	}) {
		return false
	}
	if held {
		f.pc-- // it stands before the lock
		t.m.opt.Atomics.Stuck(t.id)
		return t.stick()
	}
	if kind == AtomicUnlock && t.passesAgain(c) && t.m.opt.Atomics.Idle(t.id, c.place) {
		return t.stick()
	}
	return true
}

// now is what the bytes are.
func (c *cells) now(m *Machine) uint64 {
	w := c.take(m)
	return w.value()
}

// weakFence makes the handler of a fence.
func weakFence(o cir.Order, do handler) handler {
	return func(t *thread, f *frame, in *inst) bool {
		return t.weakly(f, nil, AtomicFence, false, o, 0, func() (bool, bool) { return false, do(t, f, in) })
	}
}

// knownToAtomics are the functions of the library whose atomic sections do the same, as far as the program can tell, in whatever order threads come to them.
var knownToAtomics = map[string]bool{
	"__comus_thread_begin": true, "is_single": true, "__comus_thread_end": true, "begin_join": true, "pthread_join": true, "pthread_detach": true, "begin_exit": true, usesStream: true,
	"pthread_mutex_init": true, "pthread_mutex_destroy": true, "pthread_spin_init": true, "pthread_spin_destroy": true, "pthread_cond_init": true, "pthread_cond_destroy": true,
	"pthread_key_create": true, "pthread_setspecific": true, "pthread_getspecific": true,
}

// owned notes an access by the library of memory that is its own, or by which threads synchronise. Where nothing orders accesses of it, what the library does may depend on which thread comes first.
func (r *races) owned(t *thread, o *Object, off, n int64, write bool) {
	if name := t.fr.fn.name(); name == "pthread_detach" || name == "__comus_thread_end" {
		return // who frees what nobody sees
	}
	if t.exchanges(o, off, n) {
		return
	}
	kind, where := happens.KindOf(write, false), uint64(0)
	if t.countsLeavers(o, off, n) {
		where = leftInside
	}
	shadowOf(o).own.Access(t.hb.Thread, off, n, kind, where, func(_ int64, old happens.Access) {
		if where == leftInside && old.Where == leftInside {
			return
		}
		r.m.opt.Observer.Unknown(t.fr.fn.name() + " works on what other threads work on as well")
	})
}

// ofOutput are the functions of the library that choose whether output fails, and how.
var ofOutput = map[string]bool{"output_fails": true, "__comus_any_errno": true, "any_success": true}
