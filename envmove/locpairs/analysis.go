// Package locpairs computes facts about which pairs of locations two threads
// can be at together, and between which bounds each variable lies then.
//
// It is an abstract interpretation. For pairs of threads (all, or in large programs
// those that communicate, see near.go) and every pair of their locations it keeps an
// interval per variable. A thread of the pair moves
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
// Without loops values seldom grow forever, only slowly where they pass through many
// threads: widenLate holds then, up to lateMoves moves.
const (
	widenAfter = 24
	widenLate  = 150
	lateMoves  = 2_000_000
)

// defaultBudget bounds the work of stepBeside, denseLimit the estimated work up to
// which the analysis is dense (see near.go).
const (
	defaultBudget = 10_000_000
	denseLimit    = 25_000
)

// Options restrict the analysis. The zero value is the analysis of the whole
// program.
type Options struct {
	// Near, if not nil, tells the threads that facts are wanted about. Of the
	// others nothing is known but what their blocks write, at any time, whatever
	// the variables are then.
	Near []bool
	// Budget bounds the work on third threads; 0 stands for the default.
	Budget int
}

// splitting says for which blocks the place of which third threads is considered,
// by a case split (see stepBeside); other third threads count only through what
// they write.
type splitting uint8

const (
	everywhere   splitting = iota // every block, every thread
	atReads                       // threads that write what the block reads
	atConditions                  // the same for blocks with a condition on shared variables
	nowhere
)

// Facts is the result of the analysis.
type Facts struct {
	p      *ir.Program
	graphs []*cutpoints.Graph
	pairs  [][]*pair // [i][j] for i < j; nil where nothing is known
	more   []Fact    // of other analyses, see Add
}

// pair holds the states of two threads i < j.
type pair struct {
	i, j   int
	vars   []*ir.Var
	index  map[*logic.Term]int
	limits []interval
	states map[locPair]*cell
	order  []locPair // the places of the states, in the order in which they were reached
	work   worklist
	thirds []third
}

type locPair struct{ a, b int } // location indexes in threads i and j

type cell struct {
	*state
	updates int
	queued  bool
}

type analysis struct {
	*Facts
	accs    []ir.Access // of each thread
	dense   bool
	changed [][]bool                      // by thread and location: a state with it has grown
	any     bool                          // whether changed has an entry
	writers [][]writer                    // by thread: its blocks that write shared variables
	reads   map[*cutpoints.Block]*reading // of each block
	effects map[effectKey]*effect
	alone   map[*cutpoints.Block]*effect
	places  map[[2]*pair][]int
	cases   int  // of stepBeside so far
	moves   int  // moves so far
	loops   bool // whether a thread has a loop
	split   splitting
}

// writer is a block of a thread together with the shared variables it writes.
type writer struct {
	block *cutpoints.Block
	vars  []*ir.Var
}

// third is a block of a third thread that writes variables of a pair.
type third struct {
	k int
	writer
}

// reading is what is known of a block's reads: whether it has a condition on
// shared variables, and which threads write what it reads.
type reading struct {
	waits   bool
	writers []bool
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
func Analyze(ctx context.Context, p *ir.Program, graphs []*cutpoints.Graph, opts Options) (*Facts, error) {
	a := newAnalysis(p, graphs, opts)
	budget := opts.Budget
	if budget == 0 {
		budget = defaultBudget
	}
	for {
		if err := a.moveAll(ctx, budget); err != nil {
			return nil, err
		}
		if !a.any {
			return a.Facts, nil
		}
		// Other pairs' states count in a move, and they have grown.
		changed := a.changed
		a.forget()
		if err := a.interfere(ctx, changed); err != nil {
			return nil, err
		}
		a.requeue(func(i, n int) bool { return changed[i][n] })
	}
}

func newAnalysis(p *ir.Program, graphs []*cutpoints.Graph, opts Options) *analysis {
	a := &analysis{Facts: &Facts{p: p, graphs: graphs}, places: map[[2]*pair][]int{}, alone: map[*cutpoints.Block]*effect{}}
	tab := p.Symbols()
	for _, t := range p.Threads {
		a.accs = append(a.accs, tab.ThreadAccess(t))
		lo, hi := t.Components()
		for i := range lo {
			a.loops = a.loops || lo[i] != hi[i]
		}
	}
	a.forget()
	a.dense = opts.Near == nil && a.denseCost() <= denseLimit
	if !a.dense {
		a.split = atReads
	}
	a.collectBlocks()
	for i := range p.Threads {
		a.pairs = append(a.pairs, make([]*pair, len(p.Threads)))
		for j := i + 1; j < len(p.Threads); j++ {
			if a.wanted(i, j, opts.Near) {
				a.pairs[i][j] = a.newPair(i, j)
			}
		}
	}
	return a
}

// forget forgets which states have grown.
func (a *analysis) forget() {
	a.any = false
	a.changed = make([][]bool, len(a.p.Threads))
	for i, t := range a.p.Threads {
		a.changed[i] = make([]bool, len(t.Locs))
	}
}

// moveAll propagates states within their pairs until nothing is left to do. Each
// pair's states are taken in the order of their locations, so that most have all
// they get from others before them when it is their turn.
func (a *analysis) moveAll(ctx context.Context, budget int) error {
	for again := true; again; {
		again = false
		for i := range a.pairs {
			for _, p := range a.pairs[i] {
				for p != nil && p.work.Len() > 0 {
					if err := ctx.Err(); err != nil {
						return err
					}
					a.move(p, p.work.next())
					again = a.coarsen(budget) || again
				}
			}
		}
	}
	return nil
}

// coarsen goes over to coarser steps when a part of the budget is used up, for all
// states: what results is closed under these, and they contain the finer ones.
func (a *analysis) coarsen(budget int) bool {
	switch {
	case a.split == everywhere && a.cases > budget/20:
		a.split = atReads
	case a.split == atReads && a.cases > budget/4:
		a.split = atConditions
	case a.split == atConditions && a.cases > budget:
		a.split = nowhere
	default:
		return false
	}
	a.requeue(func(int, int) bool { return true })
	return true
}

// requeue lets each state move again that is about a thread at a location chosen.
func (a *analysis) requeue(chosen func(thread, loc int) bool) {
	for i := range a.pairs {
		for _, p := range a.pairs[i] {
			if p == nil {
				continue
			}
			for at, c := range p.states {
				if !c.queued && (chosen(p.i, at.a) || chosen(p.j, at.b)) {
					c.queued = true
					p.work.add(at)
				}
			}
		}
	}
}

// collectBlocks finds the blocks that write shared variables, and what each block
// depends on.
func (a *analysis) collectBlocks() {
	a.writers = make([][]writer, len(a.p.Threads))
	a.reads = map[*cutpoints.Block]*reading{}
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
			r := &reading{writers: make([]bool, len(a.p.Threads))}
			for _, c := range b.Cmds() {
				if c.Kind == ir.Assume {
					for v := range tab.CmdAccess([]ir.Cmd{c}).Reads {
						r.waits = r.waits || v.Thread == ir.Shared
					}
				}
			}
			for v := range acc.Reads {
				for t := range a.accs {
					r.writers[t] = r.writers[t] || v.Thread == ir.Shared && a.accs[t].Writes[v]
				}
			}
			a.reads[b] = r
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
		if !a.tracks(i, j, v) {
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
	for k := range a.writers {
		if k == i || k == j {
			continue
		}
		for _, w := range a.writers[k] {
			var vars []*ir.Var
			for _, v := range w.vars {
				if _, ok := p.index[v.Sym]; ok {
					vars = append(vars, v)
				}
			}
			if len(vars) > 0 {
				p.thirds = append(p.thirds, third{k, writer{w.block, vars}})
			}
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
		p.order = append(p.order, at)
	} else {
		if !c.joinInto(s, c.updates > a.patience(), p.limits) {
			return
		}
		c.updates++
	}
	a.any = true
	a.changed[p.i][at.a], a.changed[p.j][at.b] = true, true
	if !c.queued {
		c.queued = true
		p.work.add(at)
	}
}

// patience returns how often a state may grow.
func (a *analysis) patience() int {
	if a.loops || a.moves > lateMoves {
		return widenAfter
	}
	return widenLate
}

// move takes each step that one of the pair's threads can take.
func (a *analysis) move(p *pair, at locPair) {
	a.moves++
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
	for k := range a.p.Threads {
		if k == p.i || k == p.j || !a.splits(b, k) {
			continue
		}
		p1, _ := a.between(k, 0, p.i, 0)
		p2, _ := a.between(k, 0, p.j, 0)
		if p1 == nil || p2 == nil {
			continue
		}
		if s := a.stepBeside(p, at, cmds, k); s == nil || !result.meetSame(s) {
			return
		}
	}
	a.reach(p, to, result)
}

// splits reports whether the place of thread k is considered for a block of
// another one.
func (a *analysis) splits(b *cutpoints.Block, k int) bool {
	switch a.split {
	case everywhere:
		return true
	case atReads:
		return a.reads[b].writers[k]
	case atConditions:
		return a.reads[b].waits && (a.dense || a.reads[b].writers[k])
	}
	return false
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

// between returns the pair of threads i and j and their locations in its order.
func (f *Facts) between(i, a, j, b int) (*pair, locPair) {
	if i < j {
		return f.pairs[i][j], locPair{a, b}
	}
	return f.pairs[j][i], locPair{b, a}
}
