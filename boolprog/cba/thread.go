package cba

import (
	"comus/boolprog"
	"comus/boolprog/bdd"
)

// place is where a relation H of Fig. 5 belongs: to a node, to the context that
// control is in, and to the context in which the node's procedure was entered.
//
// The figure has no context of entry, and its summaries no start of the contexts
// (g0). With neither, rule R'2 can apply a summary to a caller it does not fit: one
// that is in a later context than the summary began in, or one for which the other
// threads cannot hand over the guesses of the summary. So H and S keep both.
type place struct {
	node     node
	entry    int
	contexts int
}

// node is a node of a procedure.
type node struct {
	proc *boolprog.Proc
	at   int
}

// layer is a set of states that were found at the same time.
type layer struct {
	time   int
	states bdd.Node
}

// relation is a relation H.
type relation struct {
	all     bdd.Node // found so far, without what waits
	waiting bdd.Node // found, its consequences not yet computed
	layers  []layer  // of all, in the order of time
}

// summaryKey says which calls a summary is of.
type summaryKey struct {
	proc         *boolprog.Proc
	entry, leave int // contexts
}

// callSite is a call in a procedure.
type callSite struct {
	in *boolprog.Proc
	*boolprog.Edge
}

// edgeKey is an edge in a context.
type edgeKey struct {
	edge    *boolprog.Edge
	context int
}

// graph is what does not change about a program.
type graph struct {
	*space
	prog  *boolprog.Program
	out   map[*boolprog.Proc][][]*boolprog.Edge
	sites map[*boolprog.Proc][]callSite // the calls of a procedure
	steps map[edgeKey]*step
	calls map[edgeKey]*call
}

// newGraph prepares a program.
func newGraph(s *space, p *boolprog.Program) *graph {
	g := &graph{space: s, prog: p, out: map[*boolprog.Proc][][]*boolprog.Edge{}, sites: map[*boolprog.Proc][]callSite{},
		steps: map[edgeKey]*step{}, calls: map[edgeKey]*call{}}
	for _, f := range p.Procs {
		g.out[f] = f.Out()
		for _, e := range f.Edges {
			if e.Callee != nil {
				g.sites[e.Callee] = append(g.sites[e.Callee], callSite{f, e})
			}
		}
	}
	return g
}

// step returns an edge in a context.
func (g *graph) step(e *boolprog.Edge, context int) *step {
	k := edgeKey{e, context}
	if g.steps[k] == nil {
		g.steps[k] = g.plain(e, context)
	}
	return g.steps[k]
}

// callOf returns a call that begins in a context.
func (g *graph) callOf(e *boolprog.Edge, context int) *call {
	k := edgeKey{e, context}
	if g.calls[k] == nil {
		g.calls[k] = g.call(e, context)
	}
	return g.calls[k]
}

// thread is the analysis of one thread: the relations H and S.
type thread struct {
	*graph
	main      *boolprog.Proc
	eager     bool // summaries of all procedures for all states (rule R0), not only for those they are called in (R7)
	relations map[place]*relation
	order     []place // of relations, as they came
	summaries map[summaryKey]bdd.Node
	todo      []place
	time      int
	start     bdd.Node         // where the thread begins, for explanations
	handover  map[int]bdd.Node // V of a context: see schedule.go
	errors    []place          // error nodes that can be reached
}

// newThread returns a thread before it has begun.
func newThread(g *graph, main *boolprog.Proc, eager bool) *thread {
	return &thread{graph: g, main: main, eager: eager, relations: map[place]*relation{}, summaries: map[summaryKey]bdd.Node{}, handover: map[int]bdd.Node{}}
}

// add adds states to a relation.
func (t *thread) add(p place, states bdd.Node) {
	r := t.relations[p]
	if r == nil {
		if states == bdd.False {
			return
		}
		r = &relation{}
		t.relations[p] = r
		t.order = append(t.order, p)
	}
	if fresh := t.Minus(states, r.all); fresh != bdd.False {
		if r.waiting == bdd.False {
			t.todo = append(t.todo, p)
		}
		r.waiting = t.Or(r.waiting, fresh)
	}
}

// begin starts the thread (rules R10 and R12) with tuples of one context, as atStart
// and now.
func (t *thread) begin(states bdd.Node) {
	t.start = states
	t.add(place{node{t.main, t.main.Entry}, 1, 1}, t.And(states, t.entry(t.main, 1)))
	if t.eager {
		for _, f := range t.prog.Procs {
			if f != t.main {
				t.add(place{node{f, f.Entry}, 1, 1}, t.entry(f, 1))
			}
		}
	}
}

// saturate applies the rules R'1, R'2, R'3 and R'7 as long as they find something.
func (t *thread) saturate() {
	for len(t.todo) > 0 {
		p := t.todo[0]
		t.todo = t.todo[1:]
		r := t.relations[p]
		states := r.waiting
		r.waiting = bdd.False
		t.time++
		r.layers = append(r.layers, layer{t.time, states})
		r.all = t.Or(r.all, states)
		t.consequences(p, states)
	}
}

// consequences applies the rules to states that were just found at a place.
func (t *thread) consequences(p place, states bdd.Node) {
	n := p.node
	if n.proc.Nodes[n.at].Error {
		t.errors = append(t.errors, p)
	}
	if n.at == n.proc.Exit {
		t.leave(p, states)
	}
	for _, e := range t.out[n.proc][n.at] {
		to := place{node{n.proc, e.To}, p.entry, p.contexts}
		if e.Callee == nil {
			t.add(to, t.image(t.step(e, p.contexts), states))
			continue
		}
		c := t.callOf(e, p.contexts)
		if !t.eager {
			f := e.Callee
			t.add(place{node{f, f.Entry}, p.contexts, p.contexts}, t.entering(e, c, p.contexts, states))
		}
		if s := t.summaries[summaryKey{e.Callee, p.contexts, p.contexts}]; s != bdd.False {
			t.add(to, t.returning(e, c, p.contexts, states, s))
		}
	}
}

// leave adds a summary and applies it to all callers.
func (t *thread) leave(p place, states bdd.Node) {
	f := p.node.proc
	key := summaryKey{f, p.entry, p.contexts}
	s := t.Minus(t.summary(f, p.contexts, states), t.summaries[key])
	if s == bdd.False {
		return
	}
	t.summaries[key] = t.Or(t.summaries[key], s)
	for _, site := range t.sites[f] {
		for entry := 1; entry <= p.entry; entry++ {
			r := t.relations[place{node{site.in, site.From}, entry, p.entry}]
			if r == nil || r.all == bdd.False {
				continue
			}
			callers := t.extended(r.all, p.entry, p.contexts)
			t.add(place{node{site.in, site.To}, entry, p.contexts},
				t.returning(site.Edge, t.callOf(site.Edge, p.entry), p.contexts, callers, s))
		}
	}
}

// resume begins the next context (rules R8 and R9): wherever the thread can have
// been interrupted in a context, with what the other threads can hand over.
func (t *thread) resume(context int, handover bdd.Node) {
	t.handover[context] = handover
	hand := t.And(handover, t.idle(context+1))
	for _, p := range t.order[:len(t.order):len(t.order)] {
		if p.contexts == context && !p.node.proc.Nodes[p.node.at].Atomic && !p.node.proc.Nodes[p.node.at].Error {
			t.add(place{p.node, p.entry, context + 1}, t.And(t.relations[p].all, hand))
		}
	}
}

// effect returns the relation E of a context (rule R11): from atStart to now.
func (t *thread) effect(context int) bdd.Node {
	return t.between(context, nil, func(n boolprog.Node) bool { return !n.Atomic && !n.Error })
}

// failure returns what leads to a failing assertion in a context: from atStart to now
// of the contexts before.
func (t *thread) failure(context int) bdd.Node {
	return t.between(context, t.tuple(now, context, context), func(n boolprog.Node) bool { return n.Error })
}

// between returns from which atStart to which now the thread can come in a context at
// some nodes, without the values of some variables.
func (t *thread) between(context int, away []int, at func(boolprog.Node) bool) bdd.Node {
	away = append(away, t.tuple(atEntry, 1, context)...)
	away = append(away, t.frame(entered, t.locals)...)
	away = append(away, t.frame(local, t.locals)...)
	set := t.Set(away...)
	r := bdd.False
	for _, p := range t.order {
		if p.contexts == context && at(p.node.proc.Nodes[p.node.at]) {
			r = t.Or(r, t.Exists(t.relations[p].all, set))
		}
	}
	return r
}
