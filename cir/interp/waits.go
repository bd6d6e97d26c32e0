package interp

import (
	"slices"

	"comus/cir"
)

// A Wait is a thread that waits for something.
type Wait struct {
	Thread int
	Site   *cir.Site // in the program; where it called the function that waits
	Func   string    // the function that Site is in
	Via    string    // the function of the library that waits, or ""
	Stack  []Call
	// Created says where the thread was created, as that of a [Side].
	Created []Creation
	Object  string // of a lock, semaphore, condition or the like: the object that it lies in, and where
	Offset  int64
	// Holder is the thread that has to do something: that holds the lock (and may have ended), that is joined. -1: any may do.
	Holder int
	Held   []Held // with Options.Held: the locks that the thread holds
	Lock   Held   // with Options.Held: the one that it waits for; no Object: none
	lock   Held
	inner  string // the function of the library where it waits, which Via may have called
}

// Side is the thread and where it waits.
func (w *Wait) Side() Side {
	return Side{Thread: w.Thread, Site: w.Site, Func: w.Func, Via: w.Via, Stack: w.Stack, Created: w.Created, Held: w.Held, HeldKnown: true}
}

// takes reports whether it is a lock that is waited for, which one thread alone holds.
func (w *Wait) takes() bool { return w.Object != "" && w.Holder >= 0 }

// Circle returns the waits of threads that wait in a circle, each for a lock that the next one holds, as they follow one another from the smallest thread on; nil if there is no
// circle among some waits. A thread that waits for itself makes none.
func Circle(all []Wait) []Wait {
	of := map[int]*Wait{}
	for i := range all {
		if w := &all[i]; w.takes() {
			of[w.Thread] = w
		}
	}
	for _, first := range all {
		var circle []Wait
		for w := of[first.Thread]; w != nil && len(circle) < len(all); w = of[w.Holder] {
			if circle = append(circle, *w); w.Holder == first.Thread {
				if len(circle) == 1 {
					break
				}
				return circle
			}
		}
	}
	return nil
}

// Stuck returns the waits that make a run end in a deadlock: those of threads that wait in a circle, or, where no thread can go on, all. It is nil for any other run.
func Stuck(res *Result) []Wait {
	if res.Outcome != Deadlock {
		return nil
	}
	if circle := Circle(res.Waits); circle != nil || res.Why != nobodyGoesOn {
		return circle
	}
	return res.Waits
}

// nobodyGoesOn is why a run ends in which no thread is ready.
const nobodyGoesOn = "no thread can go on"

// closes reports whether a thread that has to wait for a lock waits in a circle.
func (m *Machine) closes(t *thread) bool {
	next := t
	for range m.threads {
		if next.ended || next.gone || !next.waits || next.fr == nil {
			return false
		}
		w := Wait{Holder: -1}
		if lock := m.awaited(next, &w); lock.obj == nil || w.Holder < 0 || w.Holder >= len(m.threads) {
			return false
		}
		by := next
		if next = m.threads[w.Holder]; next == t {
			return by != t
		}
	}
	return false
}

// Blocked describes the threads that wait for what only such threads could give, or nobody could: that have ended, or by their code
// never do.
func (m *Machine) Blocked() []Wait {
	b := &blocked{m, map[int]Wait{}, map[int]bool{}, map[int]*rest{}}
	waits := m.waiting()
	for _, w := range waits {
		b.waits[w.Thread], b.in[w.Thread] = w, true
	}
	for n := -1; n != len(waits); {
		n = len(waits)
		waits = slices.DeleteFunc(waits, func(w Wait) bool {
			if b.holderStays(&w) || b.nobodyGives(&w) {
				return false
			}
			delete(b.in, w.Thread)
			return true
		})
	}
	return waits
}

// waiting describes the threads that wait.
func (m *Machine) waiting() []Wait {
	var waits []Wait
	for _, t := range m.threads {
		if !t.ended && !t.gone && t.waits && t.fr != nil {
			waits = append(waits, m.waitOf(t))
		}
	}
	return waits
}

// blocked finds the threads that wait for good.
type blocked struct {
	m     *Machine
	waits map[int]Wait  // all
	in    map[int]bool  // of these, those that may be
	rests map[int]*rest // what others may still do
}

// known tells whether a thread has tried since memory changed.
func (b *blocked) known(thread int) bool { return b.m.threads[thread].since == b.m.version }

// holderStays tells whether the thread that alone could do something waits itself, has ended, or is gone. Its end lets others go on that join it,
// or wait for its robust mutex, which they may not have noticed yet.
func (b *blocked) holderStays(w *Wait) bool {
	if w.Holder < 0 || w.Holder >= len(b.m.threads) {
		return false
	}
	noticed := b.known(w.Thread) || w.inner == "pthread_mutex_lock" || w.inner == "pthread_spin_lock"
	return b.in[w.Holder] || b.m.threads[w.Holder].gone || b.m.threads[w.Holder].ended && noticed
}

// nobodyGives tells whether a thread is known to be blocked, and no other one may change that but those that wait themselves.
func (b *blocked) nobodyGives(w *Wait) bool {
	if !b.known(w.Thread) {
		return false
	}
	for _, t := range b.m.threads {
		if !t.ended && !t.gone && !b.in[t.id] && !b.joinsForEver(t.id, len(b.m.threads)) && b.rest(t.id).gives(w) {
			return false
		}
	}
	return true
}

// joinsForEver tells whether a thread joins one that by its code never ends, or joins such a one.
func (b *blocked) joinsForEver(thread, depth int) bool {
	w, ok := b.waits[thread]
	if !ok || w.inner != "pthread_join" || w.Holder < 0 || w.Holder >= len(b.m.threads) || !b.known(thread) || depth == 0 {
		return false
	}
	if _, waits := b.waits[w.Holder]; waits {
		return b.joinsForEver(w.Holder, depth-1)
	}
	r := b.rest(w.Holder)
	return !b.m.threads[w.Holder].ended && !b.m.threads[w.Holder].gone && !r.ends && !r.any
}

// rest returns what a thread may still do.
func (b *blocked) rest(thread int) *rest {
	if b.rests[thread] == nil {
		b.rests[thread] = b.m.restOf(b.m.threads[thread])
	}
	return b.rests[thread]
}

// tryWaits lets the threads that wait try once more, so that it is known which are blocked.
func (m *Machine) tryWaits() error {
	for range m.threads {
		changed := m.version
		for _, t := range m.threads {
			if !t.ended && !t.gone && t.waits && t.since != m.version && !m.done {
				m.cur = t
				if err := m.slice(t, 1); err != nil {
					return err
				}
			}
		}
		if m.version == changed {
			break
		}
	}
	return nil
}

// waitOf describes what a thread waits for: it stands at the beginning of an atomic section, or at a lock.
func (m *Machine) waitOf(t *thread) Wait {
	w := Wait{Thread: t.self().id, Holder: -1}
	f := t.fr
	f.pc++ // as if it were performing the instruction
	s := Side{Thread: t.self().id}
	m.describeSide(&s, m.places.of(f))
	w.Func, w.Via, w.Site, w.Stack, w.Created = s.Func, s.Via, s.Site, s.Stack, s.Created
	f.pc--
	if p := m.awaited(t, &w); p.obj != nil {
		w.Object, w.Offset = m.describe(p.obj), int64(p.lo)
		w.lock = Held{Object: p.obj, Offset: int64(p.lo)}
	}
	return w
}

// awaited finds out what lock, semaphore, condition or the like a thread waits for, and who has to do something.
func (m *Machine) awaited(t *thread, w *Wait) slot {
	f := t.fr
	for g := f; g != nil && g.fn.f.Library; g = g.caller {
		f = g // the outermost function of the library, but for those that a thread begins with
		if g.caller == nil || !g.caller.fn.f.Library {
			break
		}
	}
	if !f.fn.f.Library || len(f.fn.f.Params) == 0 {
		return slot{}
	}
	p := f.s[f.fn.f.Params[0].Reg.Index]
	if p.obj == nil {
		p = m.pointerTo(p.lo)
	}
	if p.obj == nil || p.obj.dead {
		return slot{}
	}
	switch w.inner = t.fr.fn.name(); w.inner {
	case "pthread_join":
		// The number is the first word of the control block (cfront/libc/libc.h).
		if n, ok := m.word(p.obj, int64(p.lo), m.wordSize()); ok {
			w.Holder = int(n)
		}
		return slot{}
	case "pthread_mutex_lock", "lock_special", "pthread_spin_lock", "flockfile", "use_locked":
		p = m.lockIn(t, p)
		if n, ok := m.word(p.obj, int64(p.lo), 4); ok {
			w.Holder = int(int32(n)) - 1
		}
	case "pthread_rwlock_rdlock", "pthread_rwlock_wrlock":
		w.Holder = m.lockHolder(p, w.inner == "pthread_rwlock_wrlock")
	case "pthread_once":
		if n, ok := m.word(p.obj, int64(p.lo), 4); ok && int32(n) < 0 {
			w.Holder = -int(int32(n)) - 1
		}
	}
	return p
}

// lockHolder returns the thread that alone holds a read-write lock, or that a reader waits for, -1 if that is not known. It begins with the
// number of readers, or minus the writer's id + 1; then come the number of writers that readers wait for, the id + 1 of the only
// holder, and of the only such writer.
func (m *Machine) lockHolder(p slot, writes bool) int {
	var n [4]int
	for i := range n {
		v, ok := m.word(p.obj, int64(p.lo)+4*int64(i), 4)
		if !ok {
			return -1
		}
		n[i] = int(int32(v))
	}
	switch {
	case n[0] < 0:
		return -n[0] - 1
	case writes && n[0] == 1:
		return n[2] - 1
	case !writes && n[1] == 1:
		return n[3] - 1
	}
	return -1
}

// lockIn returns the lock that a thread waits for: the operand of the intrinsic, or what the function that waits was given.
func (m *Machine) lockIn(t *thread, p slot) slot {
	f := t.fr
	q := f.s[f.fn.f.Params[0].Reg.Index]
	if x := f.code[f.pc].x; x != nil {
		if in, ok := x.instr.(*cir.Intrinsic); ok && in.Op == cir.Lock {
			q = f.s[x.args[0]]
		}
	}
	if q.obj == nil {
		q = m.pointerTo(q.lo)
	}
	if q.obj == nil || q.obj.dead {
		return p
	}
	return q
}

// word returns n bytes of an object as a number, if they are there.
func (m *Machine) word(o *Object, off, n int64) (uint64, bool) {
	if off < 0 || off+n > o.size {
		return 0, false
	}
	b, set := m.bytesAt(o, off, n)
	var v uint64
	for i, x := range b {
		v |= uint64(x) << (8 * i)
	}
	return v, set
}
