package memory

import "comus/cir"

// preserved is preserved program order of TSO and PSO: what a thread does in order, for all others to see. Writes wait in a buffer, so later reads may overtake them,
// and, on PSO, later writes to other locations. Between two events that does not happen if one of them or one between them is a full fence; and with Sync, everything is in order.
// Other fences, and inputs, are no events of this order.
func (r *relations) preserved(pso bool) Relation {
	ppo := r.po.where(func(a, b int) bool {
		x, y := &r.Events[a], &r.Events[b]
		if x.outside() || y.outside() {
			return false
		}
		between := func(property func(*Event) bool) bool {
			for c := range r.Events {
				if r.po.Has(a, c) && r.po.Has(c, b) && property(&r.Events[c]) {
					return true
				}
			}
			return false
		}
		switch {
		case x.full() || y.full() || between((*Event).full):
			return true
		case x.Kind == Write && y.Kind == Read:
			return flushes(x) || between(flushes)
		case pso && x.Kind == Write && y.Kind == Write && !r.same(a, b):
			return flushes(x) || y.releases() || between(isBarrier)
		}
		return true
	})
	prefix := r.po.where(func(a, _ int) bool { return r.Events[a].Thread >= 0 }).maybe()
	return union(ppo, seq(prefix, r.sync, prefix))
}

// outside reports whether an event is none of what TSO and PSO order.
func (e *Event) outside() bool { return isFence(e) && !e.full() || e.input() }

// flushes reports whether a write empties the buffer before the thread goes on.
func flushes(e *Event) bool { return e.Kind == Write && e.Order == cir.SeqCst }

// isBarrier reports whether writes before an event reach the memory before the writes behind it.
func isBarrier(e *Event) bool { return e.Kind == Fence && e.releases() || flushes(e) }

// external is rf between threads: a thread sees its own writes early, in its buffer.
func (r *relations) external() Relation {
	return r.rf.where(func(a, b int) bool { return r.Events[a].Thread != r.Events[b].Thread })
}
