package graphs

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"comus/cir"
	"comus/cir/interp"
	"comus/memory"
)

// Replay runs a program so that its atomic accesses are the events of a graph, or some of them, up to where they were performed, and no other ones. goesOn is that of [Options]. The error is for a graph that is
// none of the program's. Whether a model allows the graph, it does not say.
func Replay(ctx context.Context, p *cir.Program, opt interp.Options, g *memory.Graph, goesOn bool) (*interp.Result, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	if p.Model.PointerBits != 64 {
		return nil, errors.New("addresses have 32 bits")
	}
	mine := newGraph()
	for i := range g.Events {
		e := g.Events[i]
		if mine.add(e, made{choice: e.Loc == aChoice && e.Kind == memory.Other}, nil); e.Thread < 0 {
			mine.first[e.Loc] = i
		}
	}
	mine.RF, mine.Sync = slices.Clone(g.RF), slices.Clone(g.Sync)
	for loc, list := range g.MO {
		mine.MO[loc] = slices.Clone(list)
	}
	r := newRun(nil, mine)
	r.goesOn = goesOn
	res, err := r.make(ctx, p, func(func(string, cir.Type) (lo, hi uint64)) interp.Options { return opt }, nil)
	if err == nil && r.why != "" {
		err = fmt.Errorf("the graph is none of the program's: %s", r.why)
	}
	return res, err
}

// Sum returns a number that depends on the graph alone, not on the order in which its events were added.
func (ex *Execution) Sum() uint64 {
	g := ex.Graph
	name, count := make([]string, len(g.Events)), map[int]int{}
	for i := range g.Events {
		e := &g.Events[i]
		if e.Thread < 0 {
			name[i] = fmt.Sprintf("initial %d", e.Loc)
			continue
		}
		name[i] = fmt.Sprintf("%d.%d", e.Thread, count[e.Thread])
		count[e.Thread]++
	}
	var parts []string
	for i := range g.Events {
		e := &g.Events[i]
		if e.Thread < 0 {
			continue
		}
		part := fmt.Sprintf("%s %d %d %d %t %d", name[i], e.Kind, e.Loc, e.Order, e.Exclusive, e.Value)
		if from := g.RF[i]; from >= 0 {
			part += " from " + name[from]
		}
		parts = append(parts, part)
	}
	for loc, list := range g.MO {
		if len(list) < 2 { // it may be of accesses that a revisit has taken away
			continue
		}
		part := fmt.Sprint("order ", loc)
		for _, w := range list {
			part += " " + name[w]
		}
		parts = append(parts, part)
	}
	slices.Sort(parts)
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p + "\n"))
	}
	return h.Sum64()
}
