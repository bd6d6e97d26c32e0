package cutpoints

import (
	"comus/ir"
)

// set is a set of threads or mutexes by index.
type set map[int]bool

// analysis holds what decides whether a step is a right mover.
type analysis struct {
	p      *ir.Program
	access map[*ir.Edge]ir.Access
	edges  []*ir.Edge
	flags  map[*ir.Var]bool       // the threads' created and ended flags
	byVar  map[*ir.Var][]*ir.Edge // the edges that access a shared variable
	// mayExist[t][l] has thread k when k may have been created while t is at l.
	mayExist [][]set
	// joined[t][l] has thread k when k has surely ended while t is at l.
	joined [][]set
	// held[t][l] has mutex v (by Var.Index) when t surely holds it at l.
	held [][]set
}

func newAnalysis(p *ir.Program) *analysis {
	a := &analysis{p: p, access: map[*ir.Edge]ir.Access{}, byVar: map[*ir.Var][]*ir.Edge{}, flags: map[*ir.Var]bool{}}
	tab := p.Symbols()
	for _, t := range p.Threads {
		a.flags[t.Created], a.flags[t.Ended] = true, true
		t.Edges(func(e *ir.Edge) {
			acc := tab.CmdAccess(e.Cmds)
			a.access[e] = acc
			a.edges = append(a.edges, e)
			seen := map[*ir.Var]bool{}
			for _, m := range []map[*ir.Var]bool{acc.Reads, acc.Writes} {
				for v := range m {
					if v.Thread == ir.Shared && !seen[v] {
						seen[v] = true
						a.byVar[v] = append(a.byVar[v], e)
					}
				}
			}
		})
	}
	a.existence()
	a.joins()
	a.locksets()
	return a
}

// existence computes mayExist: a thread's own creations are followed along its
// graph; a thread it did not create may exist if its creator may.
func (a *analysis) existence() {
	n := len(a.p.Threads)
	a.mayExist = make([][]set, n)
	creator := make([]int, n)
	for i := range creator {
		creator[i] = -1
	}
	for _, e := range a.edges {
		if e.Kind == ir.Create {
			for _, k := range a.started(e) {
				creator[k] = e.From.Thread.Index
			}
		}
	}
	for i, t := range a.p.Threads {
		own := forward(t, func(*ir.Loc) set { return set{} }, union, func(s set, e *ir.Edge) set {
			if e.Kind == ir.Create {
				for _, k := range a.started(e) {
					s = with(s, k)
				}
			}
			return s
		})
		a.mayExist[i] = make([]set, len(t.Locs))
		for l := range t.Locs {
			may := set{}
			for k := range a.p.Threads {
				if a.exists(k, i, own[l], creator) {
					may[k] = true
				}
			}
			a.mayExist[i][l] = may
		}
	}
}

// started returns the threads that an edge creates: those that wait for its flag, of
// which there are several in [ir.Program.Instances].
func (a *analysis) started(e *ir.Edge) []int {
	var out []int
	for _, t := range a.p.Threads {
		if t.Created != nil && t.Created == a.p.Threads[e.Thread].Created {
			out = append(out, t.Index)
		}
	}
	return out
}

// exists follows the creators of k upwards until one decides: thread i exists
// itself, and so do those that created it.
func (a *analysis) exists(k, i int, created set, creator []int) bool {
	for steps := 0; steps <= len(creator); steps++ {
		switch {
		case k == i || k == 0 || creator[k] < 0: // the last: nothing creates it, so it runs from the start
			return true
		case creator[k] == i:
			return created[k]
		}
		k = creator[k]
	}
	return true
}

func (a *analysis) joins() {
	a.joined = make([][]set, len(a.p.Threads))
	for i, t := range a.p.Threads {
		a.joined[i] = forward(t, func(l *ir.Loc) set { return nil }, intersect, func(s set, e *ir.Edge) set {
			if e.Kind == ir.Join && e.Thread >= 0 {
				return with(s, e.Thread)
			}
			return s
		})
	}
}

// locksets computes held. A mutex counts only if lock and unlock edges are all
// that writes it, apart from writes while no other thread exists.
func (a *analysis) locksets() {
	broken := set{}
	for _, e := range a.edges {
		if e.Kind == ir.Lock || e.Kind == ir.Unlock {
			continue
		}
		for v := range a.access[e].Writes {
			if !a.alone(e) {
				broken[v.Index] = true
			}
		}
	}
	a.held = make([][]set, len(a.p.Threads))
	for i, t := range a.p.Threads {
		a.held[i] = forward(t, func(*ir.Loc) set { return nil }, intersect, func(s set, e *ir.Edge) set {
			switch {
			case e.Kind == ir.Lock && !broken[e.Mutex.Index]:
				return with(s, e.Mutex.Index)
			case e.Kind == ir.Unlock:
				return without(s, e.Mutex.Index)
			}
			for v := range a.access[e].Writes {
				s = without(s, v.Index)
			}
			return s
		})
	}
}

// alone reports whether no other thread can take a step while e's thread is at
// e's source.
func (a *analysis) alone(e *ir.Edge) bool {
	t := e.From.Thread.Index
	for k := range a.mayExist[t][e.From.Index] {
		if k != t && !a.joinedAt(e.From, k) {
			return false
		}
	}
	return true
}

func (a *analysis) joinedAt(l *ir.Loc, k int) bool {
	return a.joined != nil && a.joined[l.Thread.Index] != nil && a.joined[l.Thread.Index][l.Index][k]
}

// parallel reports whether edges e and f of different threads may be about to
// be taken in the same state.
func (a *analysis) parallel(e, f *ir.Edge) bool {
	i, j := e.From.Thread.Index, f.From.Thread.Index
	if !a.mayExist[i][e.From.Index][j] || !a.mayExist[j][f.From.Index][i] {
		return false
	}
	if a.joinedAt(e.From, j) || a.joinedAt(f.From, i) {
		return false
	}
	for m := range a.held[i][e.From.Index] {
		if a.held[j][f.From.Index][m] {
			return false
		}
	}
	return true
}

// rightMover reports whether e can be exchanged with any step of another thread
// that follows it directly.
func (a *analysis) rightMover(e *ir.Edge) bool {
	if e.Kind == ir.Create {
		return false
	}
	acc := a.access[e]
	for _, m := range []map[*ir.Var]bool{acc.Reads, acc.Writes} {
		for v := range m {
			if (e.Kind == ir.Start || e.Kind == ir.Join) && a.flags[v] && !acc.Writes[v] {
				continue // it waits for a flag to be 1, and then it stays 1
			}
			for _, f := range a.byVar[v] {
				if f.From.Thread != e.From.Thread && a.conflict(e, f, v) && a.parallel(e, f) {
					return false
				}
			}
		}
	}
	return true
}

// conflict reports whether e before f may differ from f before e because of v.
func (a *analysis) conflict(e, f *ir.Edge, v *ir.Var) bool {
	if !a.access[e].Writes[v] && !a.access[f].Writes[v] {
		return false
	}
	if e.Kind == ir.Lock && e.Mutex == v && (f.Kind == ir.Lock || f.Kind == ir.Unlock) && f.Mutex == v {
		// After e the mutex is e's thread's: f, which needs it free or its
		// own, cannot follow directly.
		return false
	}
	return true
}
