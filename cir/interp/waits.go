package interp

import "comus/cir"

// A Wait is a thread that waits for something.
type Wait struct {
	Thread int
	Site   *cir.Site // in the program; where it called the function that waits
	Func   string    // the function that Site is in
	Via    string    // the function of the library that waits, or ""
	Stack  []Call
	Object string // of a lock, semaphore, condition or the like: the object that it lies in, and where
	Offset int64
	// Holder is the thread that has to do something: that holds the lock (and may have ended), that is joined. -1: any may do.
	Holder int
}

// findWaits describes the threads that are blocked, of which, unless all are, only those matter that wait for one
// another in a circle, or for one that does.
func (m *Machine) findWaits(all bool) {
	var waits []Wait
	next := map[int]int{}
	for _, t := range m.threads {
		if !t.ended && t.waits && t.fr != nil {
			w := m.waitOf(t)
			waits = append(waits, w)
			next[t.id] = w.Holder
		}
	}
	for _, w := range waits {
		if all || m.circles(w.Thread, next) {
			m.res.Waits = append(m.res.Waits, w)
		}
	}
}

// circles tells whether a thread waits for one that waits, and so on, for ever.
func (m *Machine) circles(t int, next map[int]int) bool {
	for range len(m.threads) + 1 {
		n, ok := next[t]
		if !ok || n < 0 {
			return false
		}
		t = n
	}
	return true
}

// waitOf describes what a thread waits for: it stands at the beginning of an atomic section, or at a lock.
func (m *Machine) waitOf(t *thread) Wait {
	w := Wait{Thread: t.id, Holder: -1}
	f := t.fr
	f.pc++ // as if it were performing the instruction
	w.Func, w.Via, w.Site, w.Stack = m.places.describe(m.places.of(f))
	f.pc--
	for g := f; g != nil && g.fn.f.Library; g = g.caller {
		f = g // the outermost function of the library, but for those that a thread begins with
		if g.caller == nil || !g.caller.fn.f.Library {
			break
		}
	}
	if !f.fn.f.Library || len(f.fn.f.Params) == 0 {
		return w
	}
	p := f.s[f.fn.f.Params[0].Reg.Index]
	if p.obj == nil {
		p = m.pointerTo(p.lo)
	}
	if p.obj == nil || p.obj.dead {
		return w
	}
	switch inner := t.fr.fn.name(); inner {
	case "pthread_join":
		// The number is the first word of the control block (cfront/libc/libc.h).
		if n, ok := m.word(p.obj, int64(p.lo), m.wordSize()); ok {
			w.Holder = int(n)
		}
		return w
	case "pthread_mutex_lock", "lock_special", "pthread_spin_lock", "flockfile":
		p = m.lockIn(t, p)
		if n, ok := m.word(p.obj, int64(p.lo), 4); ok {
			w.Holder = int(int32(n)) - 1
		}
	case "pthread_rwlock_rdlock", "pthread_rwlock_wrlock":
		// The number of readers, or minus the writer's id + 1.
		if n, ok := m.word(p.obj, int64(p.lo), 4); ok && int32(n) < 0 {
			w.Holder = -int(int32(n)) - 1
		}
	}
	w.Object, w.Offset = m.describe(p.obj), int64(p.lo)
	return w
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
