package locpairs

import (
	"comus/ir"
	"comus/logic"
)

// Clauses returns what is known while thread i is at location a: for each
// thread of others, the locations it can be at, and bounds of the variables for
// which keep holds (nil: all) depending on the other thread's pc.
func (f *Facts) Clauses(i, a int, others []int, keep func(*ir.Var) bool) *logic.Term {
	l := f.p.L
	var parts []*logic.Term
	for _, j := range others {
		if j != i {
			parts = append(parts, f.beside(i, a, j, keep)...)
		}
	}
	return l.And(append(parts, f.moreAt(i, a, others, keep)...)...)
}

// Between returns the clauses about each pair of the given threads, over the pc
// of both.
func (f *Facts) Between(threads []int, keep func(*ir.Var) bool) *logic.Term {
	l := f.p.L
	var parts []*logic.Term
	for x, i := range threads {
		for _, j := range threads[x+1:] {
			if p, _ := f.between(i, 0, j, 0); p == nil {
				continue
			}
			pc := f.p.Threads[i].PC
			locs := f.nodes(i)
			f.runs(locs, func(n int) *logic.Term { return l.And(f.beside(i, locs[n], j, keep)...) },
				func(from, to int, fact *logic.Term) {
					parts = append(parts, l.Implies(inRange(l, pc, locs[from], locs[to]), fact)) // true if fact is
				})
		}
	}
	return l.And(parts...)
}

// Invariant returns the whole result as one formula over all variables and all
// pcs.
func (f *Facts) Invariant() *logic.Term {
	all := make([]int, len(f.p.Threads))
	for i := range all {
		all[i] = i
	}
	return f.p.L.And(append(f.moreClauses(), f.Between(all, nil))...)
}

// nodes returns the indexes of thread i's nodes in ascending order.
func (f *Facts) nodes(i int) []int {
	var out []int
	g := f.graphs[i]
	isNode := map[int]bool{}
	for _, n := range g.Nodes {
		isNode[n.Index] = !n.Error
	}
	for _, loc := range g.Thread.Locs {
		if isNode[loc.Index] {
			out = append(out, loc.Index)
		}
	}
	return out
}

// runs calls emit for each maximal run of indexes 0…len(locs)-1 with the same
// fact.
func (f *Facts) runs(locs []int, fact func(int) *logic.Term, emit func(from, to int, fact *logic.Term)) {
	for from := 0; from < len(locs); {
		t := fact(from)
		to := from
		for to+1 < len(locs) && fact(to+1) == t {
			to++
		}
		emit(from, to, t)
		from = to + 1
	}
}

// inRange returns lo ≤ pc ≤ hi.
func inRange(l *logic.Store, pc *logic.Term, lo, hi int) *logic.Term {
	if lo == hi {
		return l.Eq(pc, l.Int(int64(lo)))
	}
	return l.And(l.Le(l.Int(int64(lo)), pc), l.Le(pc, l.Int(int64(hi))))
}

// beside returns the clauses about thread j while i is at a. Where i is not at a
// cut-point, j is at one.
func (f *Facts) beside(i, a, j int, keep func(*ir.Var) bool) []*logic.Term {
	p, _ := f.between(i, a, j, 0)
	if p == nil {
		return nil
	}
	l := f.p.L
	pc := f.p.Threads[j].PC
	var locs []int
	for _, b := range f.nodes(j) {
		if f.graphs[i].Cut[a] || f.graphs[j].Cut[b] {
			locs = append(locs, b)
		}
	}
	states := make([]*cell, len(locs))
	var possible []*logic.Term
	for n, b := range locs {
		_, at := f.between(i, a, j, b)
		states[n] = p.states[at]
	}
	f.runs(locs, func(n int) *logic.Term { return l.Bool(states[n] != nil) },
		func(from, to int, reached *logic.Term) {
			if reached.IsTrue() {
				possible = append(possible, inRange(l, pc, locs[from], locs[to]))
			}
		})
	out := []*logic.Term{l.Or(possible...)}
	for x, v := range p.vars {
		if keep != nil && !keep(v) {
			continue
		}
		out = append(out, f.bounds(p, x, states, locs, pc)...)
	}
	return out
}

// bounds returns the clauses about variable x of the pair, one per run of
// locations with the same interval; impossible locations join any run.
func (f *Facts) bounds(p *pair, x int, states []*cell, locs []int, pc *logic.Term) []*logic.Term {
	l := f.p.L
	fact := func(iv interval) *logic.Term {
		var parts []*logic.Term
		s, limit := p.vars[x].Sym, p.limits[x]
		if iv.isPoint() {
			return l.Eq(s, l.Value(iv.lo))
		}
		if iv.hasLo && iv.lo != limit.lo {
			parts = append(parts, l.Le(l.Value(iv.lo), s))
		}
		if iv.hasHi && iv.hi != limit.hi {
			parts = append(parts, l.Le(s, l.Value(iv.hi)))
		}
		return l.And(parts...)
	}
	facts := make([]*logic.Term, len(locs))
	var last *logic.Term
	first := -1
	for n, c := range states {
		switch {
		case c != nil:
			last = fact(c.ivs[x])
			if first < 0 {
				first = n
			}
		case last == nil:
			continue
		}
		facts[n] = last
	}
	if first < 0 {
		return nil
	}
	for n := range first {
		facts[n] = facts[first]
	}
	var out []*logic.Term
	f.runs(locs, func(n int) *logic.Term { return facts[n] }, func(from, to int, t *logic.Term) {
		if from == 0 && to == len(locs)-1 {
			out = append(out, t)
			return
		}
		out = append(out, l.Implies(inRange(l, pc, locs[from], locs[to]), t))
	})
	return out
}
