package values

import (
	"math"

	"comus/cir"
)

// What threads share is found as somebody left it, but a thread that holds a lock without which nobody accesses a cell follows that cell from
// step to step, and others see only what it leaves there when it gives the lock back. Which locks these are turns
// out with the accesses: each one contributes the locks that are held there, and what all of them have in common guards the cell.
// In an atomic section a thread follows all cells, until it ends. It counts as a lock, too, that guards cells that are accessed in such sections only.

// lockAccess is how locks are accessed.
var lockAccess = cir.Access{Type: cir.I32, Align: 4}

// lock takes a lock.
func (r *run) lock(in *cir.Intrinsic) {
	r.locking = true
	r.store(in.Args[0], lockAccess, span(numberOf(1), numberOf(math.MaxInt32), 1))
	r.locking = false
	ls := r.aim(in.Args[0])
	if len(ls) != 1 {
		return
	}
	if c := r.target(ls[0], 4); c != nil && c.lock && !r.env.Get(place{kind: broken, n: int32(c.key)}).live {
		r.s = r.s.set(heldBy(c), one)
		if r.many {
			r.find(heldBy(c))
		}
	}
}

// unlock gives a lock back.
func (r *run) unlock(in *cir.Intrinsic) {
	ls := r.aim(in.Args[0])
	for _, l := range ls {
		if c := r.target(l, 4); c != nil && c.lock && r.many {
			r.leaveTo(heldBy(c))
		}
	}
	for _, l := range ls {
		if c := r.target(l, 4); c != nil && c.lock {
			r.s = r.s.without(heldBy(c))
		}
	}
	r.shut()
	r.release()
	r.locking = true
	r.store(in.Args[0], lockAccess, zero)
	r.locking = false
}

// beginsSection begins an atomic section. If it is none within another one, the thread finds what whoever was in one before left.
func (r *run) beginsSection() {
	d, ok := r.s.get(depth)
	r.nest(one)
	if ok && d.equal(zero) && r.many {
		r.find(depth)
	}
}

// endsSection ends an atomic section, which may be the outermost one.
func (r *run) endsSection() {
	if r.nest(minus(one)); r.atomic() {
		return
	}
	if r.many {
		r.leaveTo(depth)
	}
	r.shut()
	r.release()
}

// nest changes the depth of atomic sections.
func (r *run) nest(by Value) {
	if d, ok := r.s.get(depth); ok {
		r.s = r.s.set(depth, sum(d, by))
	}
}

// atomic reports whether the thread is in an atomic section in any case.
func (r *run) atomic() bool {
	d, ok := r.s.get(depth)
	return ok && d.kind == some && d.lo.cmp(numberOf(1)) >= 0
}

// held returns the keys of the locks that are held in any case, depth if the thread is in an atomic section.
func (r *run) held() *state {
	if len(r.mem.cells) == 0 {
		return nil
	}
	held := r.s.restrict(r.locks)
	if r.atomic() {
		return held.set(depth, one)
	}
	return held.without(depth)
}

// follows reports whether what a cell that threads share holds changes by this thread only, for now. It is to be asked at each access. A cell that stands for
// those of several activations may be another one at each access.
func (r *run) follows(c *cell) bool {
	held := r.held()
	r.env.Add(place{kind: guarded, n: int32(c.key)}, fact{live: true, s: held})
	return r.pts.Once(c.obj) && (r.atomic() || held != nil && r.guards(c, held))
}

// guards reports whether one of some locks is held at all accesses of a cell.
func (r *run) guards(c *cell, held *state) bool {
	f := r.env.Get(place{kind: guarded, n: int32(c.key)})
	return !f.live || f.s.restrict(held) != nil
}

// writeShared puts a value into a cell that threads share while there may be others.
func (r *run) writeShared(c *cell, v Value, sure bool) {
	if c.lock && !r.locking && v.has(number{}) {
		r.env.Add(place{kind: broken, n: int32(c.key)}, fact{live: true})
	}
	if !r.follows(c) || c.many {
		r.env.Add(place{kind: met, n: int32(c.key)}, fact{live: true, v: v})
		return
	}
	old, ok := r.h.get(c.key)
	switch {
	case sure:
	case ok:
		v = old.either(v)
	default:
		v = v.orMet()
	}
	r.h = r.h.set(c.key, v)
}

// learn notes what a cell holds that was just read.
func (r *run) learn(c *cell, v Value) {
	if c.own || !r.many {
		r.s = r.s.set(c.key, v)
	} else {
		r.h = r.h.set(c.key, v)
	}
	r.learned(c, v)
}

// release lets other threads see the cells that they may access now.
func (r *run) release() {
	clear(r.from)
	if r.atomic() {
		return
	}
	held := r.held()
	r.meet(func(c *cell) bool { return held != nil && r.guards(c, held) })
}

// meet lets other threads see what is known of cells but those that are kept.
func (r *run) meet(keep func(c *cell) bool) {
	r.h.each(func(key uint32, v Value) {
		if c := r.mem.cellOf(key); !keep(c) {
			v.met = false
			r.env.Add(place{kind: met, n: int32(key)}, fact{live: true, v: v})
			r.h = r.h.without(key)
		}
	})
}
