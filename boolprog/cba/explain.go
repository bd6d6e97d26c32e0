package cba

import (
	"fmt"
	"math"
	"slices"

	"comus/boolprog"
	"comus/boolprog/bdd"
)

// The relations are kept in layers, each with the time it was found. A state was
// derived from states of earlier layers, so going back from a state of an error
// node, always to an earlier layer, comes to the start.

// point is a value for each BDD variable.
type point []bool

// fact is a state in a relation.
type fact struct {
	place
	point
	time int
}

// event is a step of a thread.
type event struct {
	edge    *boolprog.Edge // nil: a procedure returns
	proc    *boolprog.Proc // that runs after the step
	context int
	point   // after the step
}

// cube returns the set of vectors that agree with p on some variables.
func (s *space) cube(p point, vars []int) bdd.Node {
	vars = slices.Clone(vars)
	slices.Sort(vars)
	r := bdd.True
	for _, v := range slices.Backward(vars) {
		r = s.And(r, s.Literal(v, p[v]))
	}
	return r
}

// pick returns a vector of a set; variables that do not matter are false.
func (s *space) pick(n bdd.Node) point {
	p := make(point, s.vars())
	for v, b := range s.Pick(n) {
		p[v] = b
	}
	return p
}

// relevant returns the variables of the relation of a place.
func (t *thread) relevant(p place) []int {
	l := append(t.tuple(atStart, 1, p.contexts), t.tuple(atEntry, 1, p.contexts)...)
	l = append(l, t.tuple(now, 1, p.contexts)...)
	l = append(l, t.frame(entered, p.node.proc.Params)...)
	return append(l, t.frame(local, len(p.node.proc.Vars))...)
}

// without returns the variables that are not among others.
func without(vars, others []int) []int {
	return slices.DeleteFunc(slices.Clone(vars), func(v int) bool { return slices.Contains(others, v) })
}

// find returns the earliest state of a place that is in a set and was found before
// a time.
func (t *thread) find(p place, set bdd.Node, before int) (fact, bool) {
	r := t.relations[p]
	if r == nil {
		return fact{}, false
	}
	for _, l := range r.layers {
		if l.time >= before {
			break
		}
		if n := t.And(l.states, set); n != bdd.False {
			return fact{p, t.pick(n), l.time}, true
		}
	}
	return fact{}, false
}

// known returns the states of a place in a set that were found before a time.
func (t *thread) known(p place, set bdd.Node, before int) bdd.Node {
	n := bdd.False
	if r := t.relations[p]; r != nil {
		for _, l := range r.layers {
			if l.time < before {
				n = t.Or(n, t.And(l.states, set))
			}
		}
	}
	return n
}

// explainError is a failure of this file: a bug.
func explainError(p place) error {
	return fmt.Errorf("the execution is lost at node %d of %s in context %d", p.node.at, p.node.proc.Name, p.contexts)
}

// path returns the steps from the entry of a fact's procedure to it, and the fact at
// the entry.
func (t *thread) path(f fact) ([]event, fact, error) {
	var parts [][]event // the last ones first
	for f.node.at != f.node.proc.Entry || f.contexts > f.entry {
		before, events, err := t.before(f)
		if err != nil {
			return nil, f, err
		}
		parts = append(parts, events)
		f = before
	}
	slices.Reverse(parts)
	return slices.Concat(parts...), f, nil
}

// before returns a fact that another follows from, and the steps in between.
func (t *thread) before(f fact) (fact, []event, error) {
	for _, e := range f.node.proc.Edges {
		if e.To != f.node.at {
			continue
		}
		from := place{node{f.node.proc, e.From}, f.entry, f.contexts}
		if e.Callee != nil {
			if g, events, err := t.beforeCall(f, e); events != nil || err != nil {
				return g, events, err
			}
			continue
		}
		st := t.step(e, f.contexts)
		after := slices.Clone(f.point)
		for i, v := range st.before {
			after[st.after[i]] = f.point[v]
		}
		set := t.And(t.cube(f.point, without(t.relevant(f.place), st.before)), st.relation, t.cube(after, st.after))
		if g, ok := t.find(from, set, f.time); ok {
			return g, []event{{e, f.node.proc, f.contexts, f.point}}, nil
		}
	}
	if f.contexts > f.entry {
		from := place{f.node, f.entry, f.contexts - 1}
		value := func(v int) bool { return f.point[v] }
		if t.Eval(t.And(t.handover[f.contexts-1], t.idle(f.contexts)), value) {
			if g, ok := t.find(from, t.cube(f.point, t.relevant(from)), f.time); ok {
				return g, nil, nil
			}
		}
	}
	return f, nil, explainError(f.place)
}

// beforeCall returns the fact before a call that a fact can be behind, and the steps
// of the call; no steps if the fact is not behind it.
func (t *thread) beforeCall(f fact, e *boolprog.Edge) (fact, []event, error) {
	var targets, changed []int // in the caller, and those that are global
	exit := slices.Clone(f.point)
	var results []int
	for i, v := range e.Targets {
		x := t.target(v, f.contexts)
		targets = append(targets, x)
		if v.Global {
			changed = append(changed, x)
		}
		r := t.local(local, e.Callee.Result(i).Index)
		exit[r] = f.point[x]
		results = append(results, r)
	}
	atExit := append(without(append(t.tuple(atStart, 1, f.contexts), t.tuple(now, 1, f.contexts)...), changed), results...)
	for kk := f.entry; kk <= f.contexts; kk++ {
		from := place{node{f.node.proc, e.From}, f.entry, kk}
		end := place{node{e.Callee, e.Callee.Exit}, kk, f.contexts}
		inside := t.known(end, t.cube(exit, atExit), f.time)
		if inside == bdd.False {
			continue
		}
		keep := without(t.relevant(from), append(t.tuple(now, 1, kk), targets...))
		callers := t.known(from, t.cube(f.point, keep), f.time)
		call := t.callOf(e, kk)
		both := t.And(t.extended(callers, kk, f.contexts), call.arguments, t.summary(e.Callee, f.contexts, inside))
		if both == bdd.False {
			continue
		}
		return t.split(f, e, from, end, t.pick(both))
	}
	return f, nil, nil
}

// split takes a call apart, from a point that a caller and a summary have in common.
func (t *thread) split(f fact, e *boolprog.Edge, from, end place, both point) (fact, []event, error) {
	g, ok := t.find(from, t.cube(both, t.relevant(from)), f.time)
	if !ok {
		return f, nil, explainError(from)
	}
	exit := slices.Clone(both)
	fixed := append(t.tuple(atStart, 1, f.contexts), t.tuple(atEntry, 1, f.contexts)...)
	fixed = append(append(fixed, t.tuple(now, 1, f.contexts)...), t.frame(entered, e.Callee.Params)...)
	for v := range t.globals {
		for k := 1; k <= f.contexts; k++ {
			exit[t.global(atEntry, k, v)] = both[t.global(now, k, v)]
			exit[t.global(now, k, v)] = both[t.global(next, k, v)]
		}
	}
	for i := range e.Callee.Params {
		exit[t.local(entered, i)] = both[t.local(nextLocal, i)]
	}
	for i := range e.Callee.Results {
		r := t.local(local, e.Callee.Result(i).Index)
		exit[r] = both[t.local(returned, i)]
		fixed = append(fixed, r)
	}
	inner, ok := t.find(end, t.cube(exit, fixed), f.time)
	if !ok {
		return f, nil, explainError(end)
	}
	events, base, err := t.path(inner)
	if err != nil {
		return f, nil, err
	}
	events = append([]event{{e, e.Callee, from.contexts, base.point}}, events...)
	return g, append(events, event{nil, f.node.proc, f.contexts, f.point}), nil
}

// whole returns the steps from the start of the thread to a fact, and the fact at
// the start.
func (t *thread) whole(f fact) ([]event, fact, error) {
	var all []event
	for {
		events, base, err := t.path(f)
		if err != nil {
			return nil, f, err
		}
		all = append(events, all...)
		if base.node.proc == t.main && base.contexts == 1 && t.Eval(t.start, func(v int) bool { return base.point[v] }) {
			return all, base, nil
		}
		caller, e, ok := t.caller(base)
		if !ok {
			return nil, f, explainError(base.place)
		}
		all = append([]event{{e, base.node.proc, base.contexts, base.point}}, all...)
		f = caller
	}
}

// caller returns a fact from which a call leads to a fact at an entry.
func (t *thread) caller(base fact) (fact, *boolprog.Edge, bool) {
	params := t.frame(nextLocal, base.node.proc.Params)
	given := slices.Clone(base.point)
	for i, x := range params {
		given[x] = base.point[t.local(local, i)]
	}
	fixed := append(t.tuple(atStart, 1, base.contexts), t.tuple(now, 1, base.contexts)...)
	set := t.cube(given, append(fixed, params...))
	for _, site := range t.sites[base.node.proc] {
		arguments := t.And(set, t.callOf(site.Edge, base.contexts).arguments)
		for entry := 1; entry <= base.contexts; entry++ {
			p := place{node{site.in, site.From}, entry, base.contexts}
			if f, ok := t.find(p, arguments, base.time); ok {
				return f, site.Edge, true
			}
		}
	}
	return fact{}, nil, false
}

// reached returns a fact in which a thread can be interrupted in a context.
func (t *thread) reached(context int, set bdd.Node) (fact, bool) {
	for _, p := range t.order {
		n := p.node.proc.Nodes[p.node.at]
		if p.contexts == context && !n.Atomic && !n.Error {
			if f, ok := t.find(p, set, math.MaxInt); ok {
				return f, true
			}
		}
	}
	return fact{}, false
}
