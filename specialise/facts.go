package specialise

import (
	"sort"

	"comus/ir"
	"comus/logic"
	"comus/scan/points"
)

// survey is what one run of the builder learned that the next one uses: which objects there are (a
// pointer may point to one of a thread that is taken apart later), which threads access which
// variables, and which variables keep their first value. What a run found holds for all executions, so
// the next run may rest on it, as long as no object turns up that the survey did not see.
type survey struct {
	addresses map[string]int64 // of objects, by their keys
	bases     []int64          // sorted
	extents   map[int64]int64
	next      int64
	instances map[*points.Object][]blueprint
	known     map[string]bool // keys in instances
	grown     bool            // an object turned up that was not known

	threads  int             // how many there were in the last run
	done     bool            // a run has been made: what follows can be used
	several  map[string]bool // variables that more than one thread accesses
	seen     map[string]bool // variables that were accessed
	constant map[string]bool // variables of globals that keep their initial value
	// What turned out not to hold after all, for good.
	conflicts, varies, unstable map[string]bool
	rounds                      int
	stable                      map[string]logic.Value // what variables of the heap were given before their object was published, and keep
}

func newSurvey() *survey {
	return &survey{addresses: map[string]int64{}, extents: map[int64]int64{}, next: firstAddress,
		instances: map[*points.Object][]blueprint{}, known: map[string]bool{}}
}

// place gives an object its address.
func (s *survey) place(bp *blueprint) int64 {
	if !s.known[bp.key] {
		s.known[bp.key] = true
		s.grown = true
		if bp.abs != nil {
			s.instances[bp.abs] = append(s.instances[bp.abs], *bp)
		}
	}
	if a, ok := s.addresses[bp.key]; ok {
		return a
	}
	a := s.next
	size := max(bp.size, 1)
	s.addresses[bp.key] = a
	s.bases = append(s.bases, a)
	s.extents[a] = size
	s.next = a + (size/alignment+2)*alignment
	return a
}

// base returns the address of the object that an address lies in or right behind, 0 if there is none.
func (s *survey) base(addr int64) int64 {
	i := sort.Search(len(s.bases), func(i int) bool { return s.bases[i] > addr }) - 1
	if i < 0 || addr > s.bases[i]+s.extents[s.bases[i]] {
		return 0
	}
	return s.bases[i]
}

// isShared reports whether several threads may access a cell.
func (s *survey) isShared(key string) bool {
	return !s.done || !s.seen[key] || s.several[key] || s.conflicts[key]
}

// learn takes what a run found out from its program. It reports whether the run is consistent with what it
// took for granted: what an earlier run had found holds in its program, too.
func (s *survey) learn(p *ir.Program, cells map[*ir.Var]*cell, written map[string]write) (consistent bool) {
	consistent = !s.grown
	before := *s
	s.stable, s.constant, s.seen = map[string]logic.Value{}, map[string]bool{}, map[string]bool{}
	s.several = map[string]bool{}
	if s.conflicts == nil {
		s.conflicts, s.varies, s.unstable = map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	by, changes := s.accesses(p, cells)
	for key := range before.seen { // what was folded away this time is as it was
		if !s.seen[key] {
			s.seen[key] = true
			s.several[key] = before.several[key]
		}
	}
	for key := range before.constant {
		if !s.varies[key] {
			s.constant[key] = true
		}
	}
	for _, v := range p.Vars {
		c := cells[v]
		if c == nil {
			continue
		}
		if v.Thread >= 0 && (s.several[c.key] || by[c.key] != v.Thread) {
			s.conflicts[c.key] = true
			consistent = false
		}
		switch {
		case v.Init == nil:
		case changes[v]:
			if before.constant[c.key] {
				s.varies[c.key], consistent = true, false
				delete(s.constant, c.key)
			}
		case !s.varies[c.key]:
			s.constant[c.key] = true
		}
	}
	for key, w := range written {
		if old, used := before.stable[key]; used && (!w.stable || w.value != old) {
			s.unstable[key], consistent = true, false
		}
		if w.stable && !s.unstable[key] {
			s.stable[key] = w.value
		}
	}
	s.done, s.grown = true, false
	s.rounds++
	return consistent && s.rounds >= minSurveys
}

// minSurveys is how many runs are made: what one finds out makes the next one more precise.
const minSurveys = 3

// accesses notes which thread accesses which cells, and which variables change.
func (s *survey) accesses(p *ir.Program, cells map[*ir.Var]*cell) (by map[string]int, changes map[*ir.Var]bool) {
	by, changes = map[string]int{}, map[*ir.Var]bool{}
	tab := p.Symbols()
	note := func(v *ir.Var, t int) {
		c := cells[v]
		if c == nil {
			return
		}
		if u, ok := by[c.key]; ok && u != t || p.Threads[t].Replicated && c.obj.shared {
			s.several[c.key] = true
		}
		by[c.key] = t
		s.seen[c.key] = true
	}
	for _, t := range p.Threads {
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				for _, x := range []*logic.Term{c.Cond, c.Expr} {
					if x == nil {
						continue
					}
					for _, f := range logic.FreeVars(x) {
						note(tab[f], t.Index)
					}
				}
				if c.Var != nil {
					note(c.Var, t.Index)
					changes[c.Var] = changes[c.Var] || !keeps(c)
				}
			}
		})
	}
	return by, changes
}

// keeps reports whether a command gives a variable the value that it has from the beginning.
func keeps(c ir.Cmd) bool {
	if c.Kind != ir.Assign || c.Var.Init == nil {
		return false
	}
	k, ok := c.Expr.Const()
	return ok && k == *c.Var.Init
}
