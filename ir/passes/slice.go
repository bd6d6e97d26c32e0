package passes

import (
	"maps"

	"comus/ir"
	"comus/logic"
)

// slice removes what the reachability of error locations does not depend on.
//
// A step matters if it changes a shared variable that matters, or if such a step or
// an error location may come after it. The rest is cut off: from some point on, the
// thread just stops. It does not stop inside an atomic section, where it would hold
// up all others: the steps out of locations inside are kept. Of the steps that
// remain every assumption is kept, because it may block the thread, and the
// variables in assumptions matter, with all that their values are computed from.
// Assignments and havocs of other variables are removed.
//
// It is exact. Leaving the steps that are cut off out of an execution changes no
// variable that matters and lets nobody wait, so an error is still reached; and
// the steps that remain can be taken in the original program under the same
// conditions.
//
// What a shared variable holds at first does not matter, either, if every way to a
// read of it leads over a write: it is 0 then, which is what locks that nobody
// holds are.
func slice(d *draft) {
	s := &slicer{vars: map[*ir.Var]bool{}}
	var live *liveness
	for {
		s.locate(d.p)
		live = newLiveness(d, s.keeps)
		if len(live.shared) == len(s.vars) { // it only grows
			break
		}
		s.vars = maps.Clone(live.shared)
	}
	for _, t := range d.p.Threads {
		for _, e := range edges(t) {
			if s.keeps(e) {
				live.dropDead(e)
			} else {
				d.remove(e)
			}
		}
	}
	read := d.p.ReadUnwritten()
	for _, v := range d.p.Vars {
		if v.Thread == ir.Shared && v.Init == nil && !read[v] && v.Cell == ir.NoCell {
			v.Init = &logic.Value{}
		}
	}
}

// slicer holds what is known to matter so far.
type slicer struct {
	vars map[*ir.Var]bool // shared variables
	locs map[*ir.Loc]bool // where it matters that the thread goes on, or gets to
}

// locate finds the locations that matter: backwards from the effects that do.
func (s *slicer) locate(p *ir.Program) {
	s.locs = map[*ir.Loc]bool{}
	var work []*ir.Loc
	mark := func(l *ir.Loc) {
		if !s.locs[l] {
			s.locs[l] = true
			work = append(work, l)
		}
	}
	for _, t := range p.Threads {
		for _, l := range t.Locs {
			if l.Error {
				mark(l)
			}
			for _, e := range l.Out {
				if s.effect(e) {
					mark(l)
				}
			}
		}
	}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range l.In {
			mark(e.From)
		}
	}
}

// effect reports whether the edge itself changes something that matters.
func (s *slicer) effect(e *ir.Edge) bool {
	for _, c := range e.Cmds {
		if c.Kind != ir.Assume && s.vars[c.Var] {
			return true
		}
	}
	return false
}

func (s *slicer) keeps(e *ir.Edge) bool { return e.From.Atomic || s.effect(e) || s.locs[e.To] }
