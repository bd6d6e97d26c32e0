package waits

import (
	"slices"

	"comus/cir"
	"comus/logic"
	"comus/scan/pointsto"
)

// A lock that is taken on some ways only, if two numbers differ, say, is given back on the same ways only. What may be held where control is does not tell these apart. So where a lock
// may be held at a return, the paths to it are followed, as in ascending.go: it is given back if on each path the address of one that is given back behind it is its own.

// releases reports whether the lock that a call takes is given back on all paths from it to a return.
func (h *holding) releases(c pointsto.Copy, call *cir.Call) bool {
	key := callIn{c, call}
	if yes, known := h.released[key]; known {
		return yes
	}
	h.released[key] = h.findReleased(c, call)
	return h.released[key]
}

func (h *holding) findReleased(c pointsto.Copy, call *cir.Call) bool {
	x := h.function(c.Func)
	if !h.givesLocks(c) || x.isRepeated(call) {
		return false // of a loop, a path has the last round only
	}
	w, err := h.walkerOf(c, func(b *cir.Block) bool { _, returns := b.Term.(*cir.Return); return returns })
	if w == nil || err != nil {
		return false
	}
	defer w.s.Close()
	held := false
	w.arrives = func(p *path) bool {
		held = held || w.keeps(p, call)
		return !held
	}
	w.walk(x.fn.Blocks[0], w.begin())
	if held || w.lost {
		return false
	}
	if w.overflow {
		h.assumed[assumeOverflow] = true
	}
	return true
}

// isRepeated reports whether control may get from an instruction to itself again.
func (x *function) isRepeated(in cir.Instr) bool {
	has := func(b *cir.Block) bool { return slices.Contains(b.Instrs, in) }
	leads, again := x.leadingTo(has), false
	for _, b := range x.fn.Blocks {
		if has(b) {
			cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { again = again || leads[to] })
		}
	}
	return again
}

// givesLocks reports whether a copy gives locks back by itself.
func (h *holding) givesLocks(c pointsto.Copy) bool {
	return slices.ContainsFunc(h.callsOf(c), func(call *cir.Call) bool {
		op := h.knownAs(c, call)
		return op != nil && op.does == gives
	})
}

// knownAs returns what a call does that is known by its name, nil if it is none.
func (h *holding) knownAs(c pointsto.Copy, call *cir.Call) *operation {
	if x, err := h.callees(c, call); err == nil && len(x.known) == 1 && x.known[0].lock >= 0 {
		return x.known[0]
	}
	return nil
}

// locking notes what a call does to locks.
func (w *walker) locking(p *path, call *cir.Call) {
	op := w.knownAs(w.copy, call)
	if op == nil {
		return
	}
	e := lockEvent{call, w.value(p, call.Args[op.lock].X)}
	if op.does == gives {
		e.by = nil
	}
	p.locks = append(p.locks, e) // who waits for a condition holds the lock behind that as before
}

// keeps reports whether, at the end of a path, a lock may be held that a call has taken.
func (w *walker) keeps(p *path, call *cir.Call) bool {
	for i, e := range p.locks {
		if e.by != call {
			continue
		}
		var others []*logic.Term
		for _, g := range p.locks[i+1:] {
			if g.by == nil {
				others = append(others, w.l.Ne(g.at, e.at))
			}
		}
		if !w.l.And(others...).IsFalse() && w.possible(p, others...) {
			return true
		}
	}
	return false
}
