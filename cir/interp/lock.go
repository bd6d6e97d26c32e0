package interp

import "comus/cir"

// Locks: the intrinsics that take and give back a lock of the library's models, which is an int.

func lock(t *thread, f *frame, in *inst, a []slot) bool {
	if t.m.opt.Atomics != nil && t.section == nil {
		return t.weakLock(f, a[0], AtomicLock, func() bool { return t.takeLock(a[0]) })
	}
	return t.takeLock(a[0])
}

// takeLock takes a lock, or waits for it.
func (t *thread) takeLock(p slot) bool {
	acc := cir.Access{Type: cir.I32, Align: 1}
	v, _, ok := t.load(p, &acc)
	switch {
	case !ok:
		return false
	case int32(v.lo) < 0:
		t.m.stop(Undefined, "locks", "lock of a mutex that was destroyed")
		return false
	case v.lo != 0:
		return t.block()
	}
	if t.hb != nil {
		if t.m.races.locked(t, p); t.m.done {
			return false
		}
	}
	if t.m.opt.Observer != nil {
		lock := uint64(0)
		if t.atomic == 0 {
			lock = t.m.placeOfLock(p)
		}
		t.m.opt.Observer.Waited(lock)
	}
	t.m.took(t, p, "")
	return t.store(p, slot{lo: uint64(t.self().id + 1)}, 0, &acc)
}

func unlock(t *thread, f *frame, in *inst, a []slot) bool {
	if t.m.opt.Atomics != nil && t.section == nil {
		return t.weakLock(f, a[0], AtomicUnlock, func() bool { return t.giveLock(a[0]) })
	}
	return t.giveLock(a[0])
}

// giveLock gives a lock back.
func (t *thread) giveLock(p slot) bool {
	acc := cir.Access{Type: cir.I32, Align: 1}
	v, _, ok := t.load(p, &acc)
	if !ok {
		return false
	}
	if v.lo != uint64(t.self().id+1) {
		t.m.stop(Undefined, "locks", "unlock of a mutex that the thread does not hold")
		return false
	}
	if t.hb != nil {
		if t.m.races.unlocked(t, p); t.m.done {
			return false
		}
	}
	if t.m.opt.Observer != nil {
		t.m.opt.Observer.Gives(t.m.placeOfLock(p))
	}
	t.m.gave(t, p)
	return t.store(p, slot{}, 0, &acc)
}
