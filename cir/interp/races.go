package interp

import (
	"strings"

	"comus/cir"
	"comus/cir/interp/happens"
)

// Data races ([Options.Races]), by happens-before of the run: package happens. This file says what is an access of
// whom; synchronise.go, what orders.
//
// An access of the program's is an instruction of a function that is not the library's, or what a function of the library does
// with the program's memory: memcpy, %s of printf, the id that pthread_create stores; it counts where the
// program calls the library. free and realloc write the whole object. Not counted are objects that are the library's own
// (its variables, control blocks of threads, what it has on its stack). What it does with mutexes and the like counts as atomic, so
// that there is no race with itself, but one with the memset or free of somebody who did not wait.
//
// Functions that need not be thread-safe access objects that nobody sees (hidden.go).
//
// With Options.Handlers a handler of signals interrupts a thread, and what it does is done by that. Otherwise the models let handlers run as threads, and what they do is not looked at.
//
// Locals whose address does not leave their function are not looked at.

// A Race is two accesses of which neither happens before the other.
type Race struct {
	First, Second Side // in the order of the run
	Object        string
	Offset        int64  // of the first byte that both access
	Place, Size   uint64 // of the object, as observers have it; 0: there is none
	Hidden        bool   // the object is one of the library's, that nobody sees
	// Handlers says that both accesses are made by handlers of signals, with Options.Handlers: a signal has come again, in another thread, while its handler ran.
	Handlers bool
	Exact    bool // what the run had done before is what the program does: nothing approximate
}

// Side is one of the accesses of a race.
type Side struct {
	Thread        int
	Write, Atomic bool
	Volatile      bool      // of a volatile object, by one instruction of a machine
	Site          *cir.Site // in the program; where the library was called, if it is the library's access
	Func          string    // the function that Site is in
	Via           string    // the function of the library that was called there, or ""
	Stack         []Call    // how the thread came there, the innermost call first
	// Created says where the thread was created, then where the thread was that did so, and so on; none for the first thread.
	Created []Creation
	// Held are, with Options.Held, the locks that the thread held, if HeldKnown is set.
	Held      []Held
	HeldKnown bool
}

// Creation is where a thread creates another one.
type Creation struct {
	Thread int       // that creates it
	Site   *cir.Site // in the program
	Stack  []Call
}

// Call is a call that has not returned: of a function, where in its caller.
type Call struct {
	Func string    // that was called
	Site *cir.Site // of the call; nil where a thread begins
}

// races is what a run keeps for finding races.
type races struct {
	m        *Machine
	several  bool          // a second thread was created: before, all that the first one does happens before all that others do, and need not be kept
	all      happens.Clock // what sections of __VERIFIER_atomic_begin hand on
	atExit   happens.Clock // what atexit hands on to exit
	hidden   map[hiddenKey]*happens.Memory
	seen     map[[2]uint64]bool // pairs of places
	held     map[heldKey][]Held // with Options.Held
	reported map[sitePair]bool

	streamsKnown, streamsLocked bool // whether the models wait for the locks of streams
}

// sitePair is what is reported once.
type sitePair struct {
	a, b   *cir.Site
	kind   [2]happens.Kind
	object string
}

// shadow is what is known of an object for races and leaks.
type shadow struct {
	mem   happens.Memory
	syncs map[int64]*syncVar
	born  uint64         // the place of its allocation
	own   happens.Memory // with Options.Atomics: of what the library does with memory of its own, or by which threads synchronise
	freed happens.Access
	gone  bool // freed is set
}

// threadOrder is a thread's part.
type threadOrder struct {
	*happens.Thread
	user     int                    // how many atomic sections of the program's it is in
	sections []section              // of the library's
	rounds   map[*syncVar]*barrier1 // of barriers, where it waits
}

// newRaces returns the state for a run that begins.
func newRaces(m *Machine) *races {
	return &races{m: m, hidden: map[hiddenKey]*happens.Memory{}, held: map[heldKey][]Held{}, seen: map[[2]uint64]bool{}, reported: map[sitePair]bool{}}
}

// shadowOf returns what is known of an object.
func shadowOf(o *Object) *shadow {
	if o.shadow == nil {
		o.shadow = &shadow{}
	}
	return o.shadow
}

// access notes that the thread accesses n bytes at p, if they are there.
func (r *races) access(t *thread, p slot, n int64, write, atomic bool) {
	o, off := r.find(p, n)
	if o == nil {
		return
	}
	if n > r.m.opt.MaxMemory/memoryOfRaces {
		panic(limit("memory for accesses"))
	}
	if r.m.opt.Tracer != nil {
		r.m.opt.Tracer.Accesses(t.id, o, off, n, write)
	}
	f := t.fr
	if o.visible && !f.fn.f.Library {
		r.hiddenAccess(t, f, hiddenKey{name: theEnvironment}, write, false)
	}
	if o.unknown && !write {
		r.m.unknownContents(o)
	}
	if f.fn.f.Library {
		if r.m.opt.Atomics != nil && r.several && (o.internal || f.fn.role().synchronises(write)) {
			r.owned(t, o, off, n, write)
		}
		if o.internal {
			return
		}
		atomic = atomic || f.fn.role().synchronises(write)
	}
	atomic = atomic || t.hb.user > 0
	if !r.several {
		return
	}
	kind := happens.KindOf(write, atomic)
	where := r.m.places.of(f)
	s := shadowOf(o)
	r.noteHeld(t, o, where)
	if o.dead {
		if s.gone && s.freed.Unordered(t.hb.Thread, kind) {
			r.found(t, o, off, s.freed, kind, where)
		}
		return
	}
	s.mem.Access(t.hb.Thread, off, n, kind, where, func(at int64, old happens.Access) { r.found(t, o, at, old, kind, where) })
}

// memoryOfRaces is about how many bytes are kept for each byte that is accessed.
const memoryOfRaces = 16

// find returns the object that a range is in, nil if accesses of it are of no interest.
func (r *races) find(p slot, n int64) (*Object, int64) {
	if p.obj == nil && p.lo != 0 {
		p = r.m.pointerTo(p.lo)
	}
	o, off := p.obj, int64(p.lo)
	if o == nil || o.private || o.readonly || o.kind == codeObject || o.kind == labelObject || off < 0 || n <= 0 || off > o.size || n > o.size-off {
		return nil, 0
	}
	return o, off
}

// free notes that the thread ends the life of an object of the heap: a write of all of it.
func (r *races) free(t *thread, o *Object) {
	if r.m.opt.Tracer != nil {
		r.m.opt.Tracer.Accesses(t.id, o, 0, o.size, true)
	}
	if o.internal {
		return
	}
	s, where := shadowOf(o), r.m.places.of(t.fr)
	s.mem.AccessAll(t.hb.Thread, happens.PlainWrite, where, func(at int64, old happens.Access) { r.found(t, o, at, old, happens.PlainWrite, where) })
	s.freed, s.gone = happens.Now(t.hb.Thread, happens.PlainWrite, where), true
	s.mem, s.syncs = happens.Memory{}, nil
}

// ends notes that the thread ends the life of an object that is none of the heap's. It reports whether accesses of other threads have come that might as well come later: plain ones
// that do not happen before, and atomic ones that nothing orders at all.
func (r *races) ends(t *thread, o *Object) (unordered bool) {
	s := shadowOf(o)
	s.mem.AccessAll(t.hb.Thread, happens.PlainWrite, 0, func(at int64, old happens.Access) {
		unordered = unordered || !old.Kind.Atomic() || !r.m.opt.Atomics.Before(t.id, int(old.Thread), o.place+uint64(at))
	})
	s.mem, s.syncs = happens.Memory{}, nil
	return unordered
}

// scalar notes the access of a load or store, with what it orders.
func (r *races) scalar(t *thread, p slot, a *cir.Access, write bool) {
	p, n := r.extent(p, a)
	if a.Order == cir.Plain {
		r.touch(t, p, n, write)
		return
	}
	acquire, release := orders(a.Order)
	if !write {
		r.load(t, p, n, acquire)
	}
	r.access(t, p, n, write, true)
	if write {
		r.store(t, p, n, release, false)
	}
}

// touch notes an access by an instruction that is not atomic by itself.
func (r *races) touch(t *thread, p slot, n int64, write bool) {
	atomic := t.hb.generic()
	if atomic && !write {
		r.load(t, p, n, true)
	}
	r.access(t, p, n, write, atomic)
	switch {
	case !write:
	case atomic:
		r.store(t, p, n, true, false)
	case t.fr.fn.f.Library && t.fr.fn.role() == onceRole:
		r.onceDone(t, p)
	}
}

// extent returns the bytes that an access is of in C: of a bit-field, its memory location, as far as it is known.
func (r *races) extent(p slot, a *cir.Access) (slot, int64) {
	if a.Bits == nil {
		return p, r.m.prog.Model.SizeOf(a.Type)
	}
	from, to := a.Bits.Offset, a.Bits.Offset+a.Bits.Width
	if a.Bits.To > a.Bits.From {
		from, to = a.Bits.From, a.Bits.To
	}
	first := int64(from >> 3)
	p.lo += uint64(first)
	return p, int64((to+7)>>3) - first
}

// update notes a read-modify-write, of what is there already.
func (r *races) update(t *thread, p slot, a *cir.Access) {
	n := r.m.prog.Model.SizeOf(a.Type)
	acquire, release := orders(a.Order)
	r.load(t, p, n, acquire)
	r.access(t, p, n, true, true)
	r.store(t, p, n, release, true)
}

// exchange notes a compare and exchange, which is a load if it fails.
func (r *races) exchange(t *thread, p slot, a *cir.Access, failure cir.Order, ok bool) {
	if ok {
		r.update(t, p, a)
		return
	}
	n := r.m.prog.Model.SizeOf(a.Type)
	acquire, _ := orders(failure)
	r.load(t, p, n, acquire)
	r.access(t, p, n, false, true)
}

// found keeps a race, if it is a new one.
func (r *races) found(t *thread, o *Object, off int64, old happens.Access, kind happens.Kind, where uint64) {
	r.keep(t, o, Race{Offset: off}, old, kind, where)
}

// keep keeps a race of which the two sides are missing, and the object's name, if there is an object.
func (r *races) keep(t *thread, o *Object, race Race, old happens.Access, kind happens.Kind, where uint64) {
	key := [2]uint64{old.Where<<2 | uint64(old.Kind), where<<2 | uint64(kind)}
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	if o != nil {
		race.Object, race.Place, race.Size = r.m.describe(o), o.place, uint64(o.size)
	}
	name := race.Object
	first := r.side(int(old.Thread), old.Kind, old.Where)
	second := r.side(t.self().id, kind, where)
	pair := sitePair{first.Site, second.Site, [2]happens.Kind{old.Kind, kind}, name}
	swapped := sitePair{second.Site, first.Site, [2]happens.Kind{kind, old.Kind}, name}
	if r.reported[pair] || r.reported[swapped] {
		return
	}
	r.reported[pair] = true
	if r.m.opt.Wakeups != 0 && keepsWaiters(first.Via) && keepsWaiters(second.Via) {
		r.m.res.Unjudged = true
		return
	}
	first.Held, first.HeldKnown = r.held[heldKey{int(old.Thread), old.Where, o}]
	second.Held, second.HeldKnown = t.self().held, r.m.opt.Held
	race.First, race.Second = first, second
	race.Handlers = r.m.places.inHandler(old.Where) && r.m.places.inHandler(where)
	race.Exact = !r.m.res.Approximate
	r.m.res.Races = append(r.m.res.Races, race)
	if r.m.opt.StopAtRace || r.m.opt.StopAt != nil && r.m.opt.StopAt(&r.m.res.Races[len(r.m.res.Races)-1]) {
		r.m.stop(Raced, "race", "data race on "+name)
	}
}

// keepsWaiters reports whether a function of the library keeps account of who waits, with [Options.Wakeups]: in memory that nothing but its own atomic sections orders. The races
// that runs have there are none of the program's.
func keepsWaiters(via string) bool {
	for _, prefix := range []string{"pthread_cond_", "cnd_", "pthread_rwlock_", "pthread_mutex_", "mtx_"} {
		if strings.HasPrefix(via, prefix) {
			return true
		}
	}
	return false
}

// side describes an access.
func (r *races) side(thread int, k happens.Kind, where uint64) Side {
	s := Side{Thread: thread, Write: k.Writes(), Atomic: k.Atomic(), Volatile: r.m.places.isVolatile(where, &r.m.prog.Model)}
	r.m.describeSide(&s, where)
	return s
}

// describeSide says where a place is in the program, and how the thread of a side came there.
func (m *Machine) describeSide(s *Side, where uint64) {
	s.Func, s.Via, s.Site, s.Stack = m.places.describe(where)
	for t := m.threads[s.Thread]; t.born != 0; t = m.threads[t.parent] {
		c := Creation{Thread: t.parent}
		_, _, c.Site, c.Stack = m.places.describe(t.born)
		s.Created = append(s.Created, c)
	}
}

// raced is a handler of a load or store that notes the access.
func raced(do handler, write bool) handler {
	return func(t *thread, f *frame, in *inst) bool {
		if t.hb == nil {
			return do(t, f, in)
		}
		if t.m.opt.Atomics != nil {
			if goesOn, is := t.weakScalar(do, f, in, write); is {
				return goesOn
			}
		}
		if t.m.opt.Observer != nil {
			t.observeScalar(f.s[in.a], &in.x.acc, write)
		}
		t.m.races.scalar(t, f.s[in.a], &in.x.acc, write)
		return !t.m.done && do(t, f, in)
	}
}
