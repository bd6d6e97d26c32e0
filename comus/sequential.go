package comus

import (
	"context"
	"fmt"
	"slices"
	"time"

	"comus/bmc"
	"comus/check"
	"comus/cutpoints"
	"comus/internal/timing"
	"comus/ir"
	"comus/sequentialize/single"
	"comus/sequentialize/unwind"
)

// The strategies of the sequentializations. unbounded gives the sequential program of
// UL-CSeq to the sequential model checker: its certificate is one of this program, which
// the check makes again. lazy and eager search with more and more rounds and iterations
// for a violation, by one query each (package bmc); if nothing was cut off and the rounds
// are enough, there is none, and the check encodes all executions (check.Orders).

// unbounded decides the sequentialization without bounds.
func (v *verifier) unbounded(ctx context.Context) error {
	v.res.Engine = "unbounded"
	v.simpler = sequentialized(v.simpler, single.Unbounded(v.p))
	v.p = v.simpler.Program
	v.passesDone = append(v.passesDone, sequentialPass)
	v.graphs = cutpoints.Compute(v.p, cutpoints.Options{})
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Assumptions: v.p.Assumptions}
	if !v.p.Threads[0].HasErrors() {
		return v.safe(ctx, cert)
	}
	if path := freePath(v.p.Threads[0]); path != nil {
		return v.unsafeEdges(ctx, cert, v.simpler.Lift(path))
	}
	run, blocks, err := v.mainThread(ctx, []int{0})
	switch {
	case err != nil:
		return err
	case blocks != nil:
		return v.unsafe(ctx, cert, blocks)
	}
	cert.Runs = append(cert.Runs, *run)
	return v.safe(ctx, cert)
}

// freePath returns a shortest path to an error on which nothing is assumed or computed:
// what is left of an execution in which the sequentialization knew all values. Spacer
// loses the order of such steps in its traces.
func freePath(t *ir.Thread) []*ir.Edge {
	into := map[*ir.Loc]*ir.Edge{t.Entry: nil}
	queue := []*ir.Loc{t.Entry}
	for len(queue) > 0 {
		l := queue[0]
		queue = queue[1:]
		if l.Error {
			var path []*ir.Edge
			for e := into[l]; e != nil; e = into[e.From] {
				path = append(path, e)
			}
			slices.Reverse(path)
			return path
		}
		for _, e := range l.Out {
			if _, ok := into[e.To]; !ok && len(e.Cmds) == 0 {
				into[e.To] = e
				queue = append(queue, e.To)
			}
		}
	}
	return nil
}

// bounded searches with growing bounds: one round more each time, and loops gone around
// half as often as there are rounds, so that 2 rounds come with 1 iteration and bugs that
// need a few of both are found before the queries are large. From confirmAt rounds on, a
// program in which nothing is cut is given to the check, whose encoding has no rounds: if
// it proves that no number of rounds reaches an error, the bounds are enough.
func (v *verifier) bounded(ctx context.Context, method string) error {
	v.res.Engine = method
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Assumptions: v.p.Assumptions}
	for rounds := 1; rounds <= maxBound; rounds++ {
		iterations := (rounds + 1) / 2
		q, origin, err := unwind.Program(v.p, iterations)
		if err != nil {
			return err
		}
		q.Renumber()
		graphs := cutpoints.Compute(q, cutpoints.Options{})
		s := single.Lazy
		if method == "eager" {
			s = single.Eager
		}
		seq := s(q, rounds, graphs)
		seq.Renumber()
		edges, err := v.findIn(ctx, seq)
		if err != nil {
			return err
		}
		if edges != nil {
			for i, e := range edges {
				edges[i] = origin[e]
			}
			return v.unsafeEdges(ctx, cert, v.simpler.Lift(edges))
		}
		v.log.Info("no violation", "rounds", rounds, "iterations", iterations)
		if len(q.Bounded) > len(v.p.Bounded) {
			continue
		}
		if enough := sufficient(q); rounds >= enough || rounds%confirmAt == 0 {
			limit := confirmTime
			if rounds >= enough {
				limit = 24 * time.Hour
			}
			within, cancel := context.WithTimeout(ctx, limit)
			err := v.ordersSafe(within, cert, 0)
			cancel()
			if err == nil || rounds >= enough || ctx.Err() != nil {
				return err
			}
		}
	}
	return fmt.Errorf("no violation within %d rounds, loops gone around %d times", maxBound, (maxBound+1)/2)
}

// maxBound bounds the rounds; confirmAt is where it is tried whether they are enough.
const maxBound, confirmAt = 64, 3

// confirmTime is how long it is tried then: longer only if nothing else is left to do.
const confirmTime = 10 * time.Second

// findIn returns the steps of a violation in a sequentialization, nil if there is none.
func (v *verifier) findIn(ctx context.Context, seq *single.Program) ([]*ir.Edge, error) {
	if !seq.Threads[0].HasErrors() {
		return nil, nil
	}
	defer v.opts.Timings.Start(timing.Events)()
	path, err := bmc.Find(ctx, seq.Program, v.log.Named("bmc"))
	if err != nil || path == nil {
		return nil, err
	}
	return seq.Steps(path), nil
}

// sufficient returns a number of rounds that all executions of a program without loops
// have at most. A new round begins after a step of a thread that is not the first, with a
// step of one that is not the last; steps that no other thread sees do not count, because
// threads are not interrupted there.
func sufficient(p *ir.Program) int {
	all, tab := 0, p.Symbols()
	var steps []int
	for _, t := range p.Threads {
		longest := map[*ir.Loc]int{}
		var walk func(l *ir.Loc) int
		walk = func(l *ir.Loc) int {
			if k, ok := longest[l]; ok {
				return k
			}
			most := 0
			for _, e := range l.Out {
				most = max(most, walk(e.To)+seen(tab, e))
			}
			longest[l] = most
			return most
		}
		steps = append(steps, walk(t.Entry))
		all += steps[len(steps)-1]
	}
	return 1 + min(all-steps[0], all-steps[len(steps)-1])
}

// seen returns 1 if other threads can see a step, 0 otherwise.
func seen(tab ir.SymTable, e *ir.Edge) int {
	a := tab.CmdAccess(e.Cmds)
	for _, m := range []map[*ir.Var]bool{a.Reads, a.Writes} {
		for x := range m {
			if x != nil && x.Thread == ir.Shared {
				return 1
			}
		}
	}
	return 0
}

// engineAlone returns the options without what runs before and beside the engine, if they
// name one that is not the default.
func (o Options) engineAlone() Options {
	switch o.Strategy {
	case "", "auto", "modular", "thread-modular":
	default:
		o.NoSimulate, o.Single, o.Grow = true, true, false
	}
	return o
}
