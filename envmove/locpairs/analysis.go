// Package locpairs computes facts about which pairs of locations two threads
// can be at together, and between which bounds each variable lies then
// (design.md, section 4, item 1 (c) and (d)).
//
// It is an abstract interpretation. For every pair of threads and every pair of
// their locations it keeps an interval per variable. A thread of the pair moves
// along its blocks; a third thread's step is taken into account through what it
// writes, if the third thread can be beside both. So "while (!done);" teaches
// that the waiting thread, once past the loop, is beside a thread that has set
// done, and what that thread wrote before. The cost grows with pairs of
// locations, not with their product over all threads.
//
// The result is an inductive invariant of the whole program, a conjunction of
// clauses over two program counters each; [Facts.Clauses] returns it as a
// formula. Nothing downstream has to trust it: the checker proves that formula
// inductive with a solver.
package locpairs

import (
	"context"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
)

// widenAfter is how often a state may grow before its moving ends are given up.
const widenAfter = 24

// maxCases bounds the work of stepBeside.
const maxCases = 10_000_000

// splitting says for which blocks the place of every third thread is considered,
// by a case split (see stepBeside); for the others, third threads count only
// through what they write.
type splitting uint8

const (
	everywhere   splitting = iota
	atConditions           // blocks with a condition on shared variables
	nowhere
)

// Facts is the result of the analysis.
type Facts struct {
	p      *ir.Program
	graphs []*cutpoints.Graph
	pairs  [][]*pair // [i][j] for i < j
}

// pair holds the states of two threads i < j.
type pair struct {
	i, j   int
	vars   []*ir.Var
	index  map[*logic.Term]int
	limits []interval
	states map[locPair]*cell
}

type locPair struct{ a, b int } // location indexes in threads i and j

type cell struct {
	*state
	updates int
	queued  bool
}

// item is a state to be propagated.
type item struct {
	p  *pair
	at locPair
}

type analysis struct {
	*Facts
	work    []item
	version int                       // grows with every change of a state
	writers [][]writer                // by thread: its blocks that write shared variables
	waits   map[*cutpoints.Block]bool // blocks with a condition on shared variables
	effects map[effectKey]*effect
	places  map[[2]*pair][]int
	cases   int // of stepBeside so far
	split   splitting
}

// writer is a block of a thread together with the shared variables it writes.
type writer struct {
	block *cutpoints.Block
	vars  []*ir.Var
}

// effectKey names a thread's block run beside thread other at location at.
type effectKey struct {
	block *cutpoints.Block
	other int
	at    int
}

// effect is what a block may write, by variable; nil where it cannot run.
type effect struct{ vals map[*ir.Var]interval }

// Analyze runs the analysis to its fixpoint. It stops early, with ctx's error,
// only when ctx is done.
func Analyze(ctx context.Context, p *ir.Program, graphs []*cutpoints.Graph) (*Facts, error) {
	return analyze(ctx, p, graphs, maxCases)
}

func analyze(ctx context.Context, p *ir.Program, graphs []*cutpoints.Graph, budget int) (*Facts, error) {
	a := &analysis{Facts: &Facts{p: p, graphs: graphs}, places: map[[2]*pair][]int{}}
	a.collectWriters()
	n := len(p.Threads)
	a.pairs = make([][]*pair, n)
	for i := range n {
		a.pairs[i] = make([]*pair, n)
		for j := i + 1; j < n; j++ {
			a.pairs[i][j] = a.newPair(i, j)
		}
	}
	for {
		before := a.version
		for len(a.work) > 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			it := a.work[len(a.work)-1]
			a.work = a.work[:len(a.work)-1]
			a.move(it)
			a.coarsen(budget)
		}
		if n > 2 { // other pairs' states count in a move, and they may have grown
			if err := a.interfere(ctx); err != nil {
				return nil, err
			}
			if a.version != before {
				a.requeue()
			}
		}
		if len(a.work) == 0 {
			return a.Facts, nil
		}
	}
}

// coarsen goes over to coarser steps when a part of the budget is used up, for all
// states: what results is closed under these, and they contain the finer ones.
func (a *analysis) coarsen(budget int) {
	switch {
	case a.split == everywhere && a.cases > budget/20:
		a.split = atConditions
	case a.split == atConditions && a.cases > budget:
		a.split = nowhere
	default:
		return
	}
	a.requeue()
}

// requeue lets every state move again.
func (a *analysis) requeue() {
	for i := range a.pairs {
		for _, p := range a.pairs[i] {
			if p == nil {
				continue
			}
			for at, c := range p.states {
				if !c.queued {
					c.queued = true
					a.work = append(a.work, item{p, at})
				}
			}
		}
	}
}

// collectWriters finds the blocks that write shared variables, and those that
// depend on them.
func (a *analysis) collectWriters() {
	a.writers = make([][]writer, len(a.p.Threads))
	a.waits = map[*cutpoints.Block]bool{}
	tab := a.p.Symbols()
	for k, g := range a.graphs {
		g.Blocks(func(b *cutpoints.Block) {
			var vars []*ir.Var
			acc := tab.CmdAccess(b.Cmds())
			for _, v := range a.p.Vars {
				if v.Thread == ir.Shared && acc.Writes[v] {
					vars = append(vars, v)
				}
			}
			for _, c := range b.Cmds() {
				if c.Kind == ir.Assume {
					for v := range tab.CmdAccess([]ir.Cmd{c}).Reads {
						a.waits[b] = a.waits[b] || v.Thread == ir.Shared
					}
				}
			}
			if len(vars) > 0 {
				a.writers[k] = append(a.writers[k], writer{b, vars})
			}
		})
	}
}

func (a *analysis) newPair(i, j int) *pair {
	p := &pair{i: i, j: j, index: map[*logic.Term]int{}, states: map[locPair]*cell{}}
	init := &state{l: a.p.L, index: p.index, vars: &p.vars, limits: &p.limits}
	for _, v := range a.p.Vars {
		if v.Thread != ir.Shared && v.Thread != i && v.Thread != j {
			continue
		}
		lo, hi := v.Type.Range()
		limit := between(lo, hi)
		p.index[v.Sym] = len(p.vars)
		p.vars = append(p.vars, v)
		p.limits = append(p.limits, limit)
		if v.Init != nil {
			init.ivs = append(init.ivs, point(*v.Init))
		} else {
			init.ivs = append(init.ivs, limit)
		}
	}
	a.reach(p, locPair{a.p.Threads[i].Entry.Index, a.p.Threads[j].Entry.Index}, init)
	return p
}

// reach joins s into the pair's state at a place.
func (a *analysis) reach(p *pair, at locPair, s *state) {
	c := p.states[at]
	if c == nil {
		c = &cell{state: s.clone()}
		p.states[at] = c
		a.version++
	} else {
		if !c.joinInto(s, c.updates > widenAfter, p.limits) {
			return
		}
		c.updates++
		a.version++
	}
	if !c.queued {
		c.queued = true
		a.work = append(a.work, item{p, at})
	}
}

// move takes each step that one of the pair's threads can take.
func (a *analysis) move(it item) {
	p, at := it.p, it.at
	c := p.states[at]
	c.queued = false
	la, lb := a.p.Threads[p.i].Locs[at.a], a.p.Threads[p.j].Locs[at.b]
	if a.graphs[p.j].Cut[at.b] {
		for _, b := range a.graphs[p.i].Out[la] {
			a.step(p, at, b, locPair{b.To.Index, at.b})
		}
	}
	if a.graphs[p.i].Cut[at.a] {
		for _, b := range a.graphs[p.j].Out[lb] {
			a.step(p, at, b, locPair{at.a, b.To.Index})
		}
	}
}

func (a *analysis) step(p *pair, at locPair, b *cutpoints.Block, to locPair) {
	if b.To.Error {
		return
	}
	cmds := b.Cmds()
	result := p.states[at].clone()
	if !result.run(cmds) {
		return
	}
	if a.split == everywhere || a.split == atConditions && a.waits[b] {
		for k := range a.p.Threads {
			if k == p.i || k == p.j {
				continue
			}
			if s := a.stepBeside(p, at, cmds, k); s == nil || !result.meet(s) {
				return
			}
		}
	}
	a.reach(p, to, result)
}

// stepBeside runs commands with a case split over where thread k is: each of its
// locations that goes with both threads of the pair restricts what shared
// variables can be. It returns nil if there is no case. The restriction is of the
// state before the step, never of the one after: that keeps the result inductive,
// as every state of the program satisfies the facts about all its pairs at once.
func (a *analysis) stepBeside(p *pair, at locPair, cmds []ir.Cmd, k int) *state {
	var sum *state
	s := p.states[at].clone()
	for _, n := range a.graphs[k].Nodes {
		if !a.graphs[k].Cut[n.Index] {
			continue
		}
		p1, at1 := a.between(k, n.Index, p.i, at.a)
		p2, at2 := a.between(k, n.Index, p.j, at.b)
		c1, c2 := p1.states[at1], p2.states[at2]
		if c1 == nil || c2 == nil {
			continue
		}
		a.cases++
		copy(s.ivs, p.states[at].ivs)
		if !s.meetBy(c1.state, a.common(p, p1)) || !s.meetBy(c2.state, a.common(p, p2)) || !s.run(cmds) {
			continue
		}
		if sum == nil {
			sum = s.clone()
		} else {
			sum.joinInto(s, false, nil)
		}
	}
	return sum
}

// common returns, for each variable of p, its place in q; -1 if q lacks it.
func (a *analysis) common(p, q *pair) []int {
	key := [2]*pair{p, q}
	places, ok := a.places[key]
	if !ok {
		places = commonPlaces(p.vars, q.index)
		a.places[key] = places
	}
	return places
}

// interfere applies the writes of every third thread to every state.
func (a *analysis) interfere(ctx context.Context) error {
	a.effects = map[effectKey]*effect{}
	for i := range a.pairs {
		for _, p := range a.pairs[i] {
			if p == nil {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			for at, c := range p.states {
				if a.graphs[p.i].Cut[at.a] && a.graphs[p.j].Cut[at.b] {
					a.interfereAt(p, at, c)
				}
			}
		}
	}
	return nil
}

func (a *analysis) interfereAt(p *pair, at locPair, c *cell) {
	var s *state
	for k := range a.p.Threads {
		if k == p.i || k == p.j {
			continue
		}
		for _, w := range a.writers[k] {
			e1 := a.effect(k, w, p.i, at.a)
			if e1.vals == nil {
				continue
			}
			e2 := a.effect(k, w, p.j, at.b)
			if e2.vals == nil {
				continue
			}
			for _, v := range w.vars {
				iv, ok := e1.vals[v].meet(e2.vals[v])
				if !ok {
					continue
				}
				if s == nil {
					s = c.clone()
				}
				s.set(v.Sym, s.get(v.Sym).join(iv))
			}
		}
	}
	if s != nil {
		a.reach(p, at, s)
	}
}

// effect computes what block w of thread k writes beside thread other at at.
func (a *analysis) effect(k int, w writer, other, at int) *effect {
	key := effectKey{w.block, other, at}
	if e, ok := a.effects[key]; ok {
		return e
	}
	e := &effect{}
	a.effects[key] = e
	p, lp := a.between(k, w.block.From.Index, other, at)
	if c := p.states[lp]; c != nil {
		s := c.clone()
		if s.run(w.block.Cmds()) {
			e.vals = map[*ir.Var]interval{}
			for _, v := range w.vars {
				e.vals[v] = s.get(v.Sym)
			}
		}
	}
	return e
}

// between returns the pair of threads i and j and their locations in its order.
func (f *Facts) between(i, a, j, b int) (*pair, locPair) {
	if i < j {
		return f.pairs[i][j], locPair{a, b}
	}
	return f.pairs[j][i], locPair{b, a}
}
