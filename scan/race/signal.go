package race

import (
	"context"
	"math/bits"

	"comus/cir"
	"comus/scan/happensbefore"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// signals are synchronisations that order accesses. A flag does so only if its location is race-free for other reasons.
type signals struct {
	found *happensbefore.Result // nil: none
	valid uint64
}

// masks returns what has happened where a thread runs the instructions of a node.
func (s *signals) masks(t *thread.Thread, n *thread.Node) func(in cir.Located) happensbefore.Masks {
	if s.found == nil || len(s.found.Syncs) == 0 {
		return func(cir.Located) happensbefore.Masks { return happensbefore.Masks{} }
	}
	return s.found.Masks(t, n)
}

// ordered reports whether one of two groups of accesses comes before the other one.
func (s *signals) ordered(g, h *group) bool { return s.before(g, h) || s.before(h, g) }

// before reports whether all accesses of a group come before those of another one that overlap with them: its thread has not set yet what the other one has
// seen, or it is called by pthread_once, which has returned in the other one.
func (s *signals) before(g, h *group) bool {
	if g.masks.In&(h.masks.Seen|h.masks.In)&s.valid != 0 {
		return true
	}
	for m := h.masks.Seen &^ g.masks.Set & s.valid; m != 0; m &= m - 1 {
		if e := s.found.Syncs[bits.TrailingZeros64(m)]; e.Setter == g.t && e.Kind != happensbefore.Once {
			return true
		}
	}
	return false
}

// judgeSignals looks at what is suspected again, once it is known which synchronisations order accesses.
func (c *collector) judgeSignals(ctx context.Context, all []*judged) error {
	if c.signals.found != nil {
		for i, e := range c.signals.found.Syncs {
			if e.Valid() && c.validSync(e, all) {
				c.signals.valid |= 1 << i
			}
		}
	}
	if c.signals.valid|c.latches.valid == 0 {
		return nil
	}
	for _, s := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.why == Suspected {
			s.verdict = c.judge(s.segment)
		}
	}
	return nil
}

// cellBytes returns the bytes of a global at an offset: all, if that is in an array, of which what is accessed is said of the first element.
func cellBytes(o *pointsto.Object, off, size int64) extent {
	if !(pointsto.Location{Obj: o, Off: off}).Exact() {
		return everywhere
	}
	return extent{off, off + size}
}

// validSync reports whether all writes of what a synchronisation is made of are those that it is made by, and who reads what was stored does so by synchronising.
func (c *collector) validSync(e *happensbefore.Sync, all []*judged) bool {
	var o *pointsto.Object
	for _, x := range c.pts.Objects {
		if x.Global == e.Global {
			o = x
		}
	}
	if o == nil || o.External {
		return false
	}
	s := c.slots[place{obj: o}]
	if s == nil {
		return e.Kind != happensbefore.Flag
	}
	bytes := everywhere
	if e.Kind == happensbefore.Flag {
		bytes = cellBytes(o, e.Off, e.Size)
	}
	for i := range s.uses {
		u := &s.uses[i]
		for _, b := range u.pool.order {
			if !b.kind.write || !u.x.meets(bytes) {
				continue
			}
			for _, a := range b.list {
				in, ok := a.in.(cir.Instr)
				if e.Kind == happensbefore.Flag && !(ok && e.Allowed[in]) || e.Kind != happensbefore.Flag && !a.node.Fn.Library {
					return false
				}
			}
		}
	}
	if e.Kind != happensbefore.Flag {
		return true
	}
	found := false
	for _, s := range all {
		if s.p.obj == o && s.p.state == "" && s.x.meets(bytes) {
			found = true
			if s.why == Suspected || c.relaxed(s.segment) {
				return false
			}
		}
	}
	return found
}
