package race

import (
	"comus/cir"
	"comus/scan/barrier"
	"comus/scan/thread"
)

// rounds are barriers that order accesses.
type rounds struct {
	found *barrier.Result // nil: none
	valid map[*barrier.Barrier]bool
}

// at returns the moments at which a thread runs the instructions of a node.
func (r *rounds) at(t *thread.Thread, n *thread.Node) func(in cir.Located) barrier.Moment {
	if r.found == nil || len(r.found.Barriers) == 0 {
		return func(cir.Located) barrier.Moment { return 0 }
	}
	return r.found.At(t, n)
}

// between reports whether a barrier is between accesses of two groups.
func (c *collector) between(g, h *group) bool {
	r := &c.rounds
	return r.found != nil && r.found.Apart(g.moment, h.moment, c.isValid)
}

// told reports whether a barrier orders accesses of two groups as their threads have been told that they are the one of those that have met there, and have not waited since: either they have met
// there the same time, and are the same, or not.
func (c *collector) told(g, h *group) bool {
	r := &c.rounds
	if at := g.lead.Barrier; r.found != nil && at.Obj != nil && at == h.lead.Barrier {
		for _, b := range r.found.Barriers {
			if b.At.Obj == at.Obj && b.At.Off == at.Off {
				return c.isValid(b)
			}
		}
	}
	return false
}

// isValid is validBarrier, asked once.
func (c *collector) isValid(b *barrier.Barrier) bool {
	ok, known := c.rounds.valid[b]
	if !known {
		ok = c.validBarrier(b)
		c.rounds.valid[b] = ok
	}
	return ok
}

// validBarrier reports whether nothing but the library's functions of barriers writes to a barrier.
func (c *collector) validBarrier(b *barrier.Barrier) bool {
	if b.At.Obj.External {
		return false
	}
	s := c.slots[place{obj: b.At.Obj}]
	if s == nil {
		return true
	}
	bytes := extent{b.At.Off, b.At.Off + b.Size}
	for i := range s.uses {
		u := &s.uses[i]
		for _, x := range u.pool.order {
			if !x.kind.write || !u.x.meets(bytes) {
				continue
			}
			for _, a := range x.list {
				if !b.Uses(a.node) {
					return false
				}
			}
		}
	}
	return true
}

// joinMoments returns what is known of something that is done at one of two moments.
func (c *collector) joinMoments(m, k barrier.Moment) barrier.Moment {
	if c.rounds.found == nil {
		return 0
	}
	return c.rounds.found.Join(m, k)
}
