package passes

import (
	"slices"

	"golang.org/x/tools/container/intsets"

	"comus/ir"
	"comus/logic"
)

// liveness tells which values may matter: those that an assumption may depend on,
// directly or through assignments to variables that matter. A variable that is
// only ever used to compute itself does not.
type liveness struct {
	d *draft
	// counts tells whether the assumptions of an edge matter; nil: all do.
	counts func(*ir.Edge) bool
	// shared has the shared variables that matter, at any time.
	shared map[*ir.Var]bool
	// local has the local variables, by number, whose value at a location matters.
	local  map[*ir.Loc]*intsets.Sparse
	number map[*ir.Var]int
	uses   map[*logic.Term][]*ir.Var // the variables of terms
	grown  bool
}

func newLiveness(d *draft, counts func(*ir.Edge) bool) *liveness {
	l := &liveness{d: d, counts: counts, shared: map[*ir.Var]bool{}, local: map[*ir.Loc]*intsets.Sparse{}, number: map[*ir.Var]int{}, uses: map[*logic.Term][]*ir.Var{}}
	for i, v := range d.p.Vars {
		l.number[v] = i
	}
	for _, t := range d.p.Threads {
		for _, loc := range t.Locs {
			l.local[loc] = &intsets.Sparse{}
		}
	}
	for l.grown = true; l.grown; {
		l.grown = false
		for _, t := range d.p.Threads {
			l.thread(t)
		}
	}
	return l
}

// thread propagates within a thread until nothing changes, with the shared
// variables known to matter so far.
func (l *liveness) thread(t *ir.Thread) {
	work, waits := slices.Clone(t.Locs), map[*ir.Loc]bool{}
	for _, loc := range work {
		waits[loc] = true
	}
	for len(work) > 0 {
		loc := work[len(work)-1]
		work, waits[loc] = work[:len(work)-1], false
		for _, e := range loc.In {
			if l.counts != nil && !l.counts(e) {
				continue
			}
			if !l.local[e.From].UnionWith(l.before(e)) {
				continue
			}
			if l.grown = true; !waits[e.From] {
				work, waits[e.From] = append(work, e.From), true
			}
		}
	}
}

// before returns the local variables that matter before an edge.
func (l *liveness) before(e *ir.Edge) *intsets.Sparse {
	live := l.behind(e)
	for i := len(e.Cmds) - 1; i >= 0; i-- {
		l.step(live, e.Cmds[i])
	}
	return live
}

// behind returns those that matter behind it, in a set of its own.
func (l *liveness) behind(e *ir.Edge) *intsets.Sparse {
	live := &intsets.Sparse{}
	live.Copy(l.local[e.To])
	return live
}

// at reports whether the value of a local variable matters at a location.
func (l *liveness) at(loc *ir.Loc, v *ir.Var) bool { return l.local[loc].Has(l.number[v]) }

// step goes backwards over a command.
func (l *liveness) step(live *intsets.Sparse, c ir.Cmd) {
	use := c.Cond
	if c.Kind != ir.Assume {
		if !l.matters(live, c.Var) {
			return
		}
		live.Remove(l.number[c.Var])
		use = c.Expr
	}
	if use == nil {
		return
	}
	vs, known := l.uses[use]
	if !known {
		vs = l.d.varsOf(use)
		l.uses[use] = vs
	}
	for _, v := range vs {
		if v.Thread != ir.Shared {
			live.Insert(l.number[v])
		} else if !l.shared[v] {
			l.shared[v], l.grown = true, true
		}
	}
}

// matters reports whether the value of v matters where live do.
func (l *liveness) matters(live *intsets.Sparse, v *ir.Var) bool {
	return v.Thread != ir.Shared && live.Has(l.number[v]) || v.Thread == ir.Shared && l.shared[v]
}

// dropDead removes the assignments and havocs whose values do not matter. An edge
// that no longer does what its kind says becomes a plain one; one that is an approximation
// because of the values it chose, and chooses none any more, becomes exact.
func (l *liveness) dropDead(e *ir.Edge) {
	live := l.behind(e)
	var kept []ir.Cmd
	for i := len(e.Cmds) - 1; i >= 0; i-- {
		c := e.Cmds[i]
		if c.Kind == ir.Assume || l.matters(live, c.Var) {
			kept = append(kept, c)
		}
		l.step(live, c)
	}
	slices.Reverse(kept)
	if len(kept) < len(e.Cmds) {
		chose := e.Chooses()
		e.Cmds = kept
		l.retype(e)
		if chose && !e.Chooses() {
			e.Approx = ""
		}
	}
}

// retype makes an edge plain that does not write any more what its kind says.
func (l *liveness) retype(e *ir.Edge) {
	writes := e.Mutex
	switch e.Kind {
	case ir.Create:
		writes = l.d.p.Threads[e.Thread].Created
	case ir.End:
		writes = e.From.Thread.Ended
	}
	if writes != nil && !slices.ContainsFunc(e.Cmds, func(c ir.Cmd) bool { return c.Var == writes }) {
		e.Kind, e.Thread, e.Mutex = ir.Plain, -1, nil
	}
}
