package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"comus/bmc"
	"comus/check"
	"comus/comus/confirm"
	"comus/cutpoints"
	"comus/internal/timing"
	"comus/ir"
	"comus/seqmc"
	"comus/sequentialize/single"
	"comus/sequentialize/unwind"
)

// The strategies of the sequentializations. unbounded gives the sequential program of
// UL-CSeq to the sequential model checker: its certificate is one of this program, which
// the check makes again. lazy and eager search with more and more rounds and iterations
// for a violation, by one query each (package bmc); if nothing was cut off and the rounds
// are enough, there is none, and the check encodes all executions (check.Orders).

// Unbounded decides the sequentialization without bounds.
type Unbounded struct{}

// Name returns the engine's name.
func (Unbounded) Name() string { return "unbounded" }

// Decide gives the sequential program to the sequential model checker.
func (Unbounded) Decide(ctx context.Context, t *Task) (Answer, error) {
	seq := single.Unbounded(t.Program)
	seq.Renumber()
	alone := *t
	alone.Program, alone.Options.Order = seq.Program, nil
	alone.Graphs = cutpoints.Compute(seq.Program, cutpoints.Options{})
	if !seq.Threads[0].HasErrors() { // all values were known: the check visits the states itself
		return Answer{Verdict: seqmc.Safe, Proof: &check.Certificate{Method: check.MethodStates}}, nil
	} else if path := freePath(seq.Threads[0]); path != nil {
		return Answer{Verdict: seqmc.Unsafe, Steps: seq.Steps(path)}, nil
	}
	a, err := decideSequential(ctx, &alone)
	a.Steps = seq.Steps(a.Steps)
	if a.Proof != nil {
		a.Proof.Program.Passes = append(slices.Clone(t.subject.ID.Passes), confirm.Sequential)
	}
	return a, err
}

// decideSequential decides a sequential program: by one query if it has no loops, and then the
// check proves it by another one.
func decideSequential(ctx context.Context, t *Task) (Answer, error) {
	path, err := findIn(ctx, t, t.Program)
	switch {
	case path != nil:
		return Answer{Verdict: seqmc.Unsafe, Steps: path}, nil
	case err == nil:
		return Answer{Verdict: seqmc.Safe, Proof: &check.Certificate{Method: check.MethodOrders, Threads: Threads(t.Graphs)}}, nil
	}
	return Modular{}.Decide(ctx, t)
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

// Bounded searches with growing bounds: one round more each time, and loops gone
// around half as often as there are rounds, so that 2 rounds come with 1 iteration and bugs
// that need a few of both are found before the queries are large. From confirmAt rounds on,
// a program in which nothing is cut is given to the check, whose encoding has no rounds: if
// it proves that no number of rounds reaches an error, the bounds are enough.
type Bounded struct{ method string } // lazy or eager

// Name returns the engine's name.
func (e Bounded) Name() string { return e.method }

// Decide lets the bounds grow.
func (e Bounded) Decide(ctx context.Context, t *Task) (Answer, error) {
	for rounds := 1; rounds <= maxBound; rounds++ {
		iterations := (rounds + 1) / 2
		q, origin, err := unwind.Program(t.Program, iterations)
		if err != nil {
			return Answer{}, err
		}
		q.Renumber()
		graphs := cutpoints.Compute(q, cutpoints.Options{})
		s := single.Lazy
		if e.method == "eager" {
			s = single.Eager
		}
		seq := s(q, rounds, graphs)
		seq.Renumber()
		path, err := findIn(ctx, t, seq.Program)
		if err != nil {
			return Answer{}, err
		}
		if path != nil {
			edges := seq.Steps(path)
			for i, e := range edges {
				edges[i] = origin[e]
			}
			return Answer{Verdict: seqmc.Unsafe, Steps: edges}, nil
		}
		t.Log.Info("no violation", "rounds", rounds, "iterations", iterations)
		if len(q.Bounded) > len(t.Program.Bounded) {
			continue
		}
		if a, err := enoughRounds(ctx, t, rounds, sufficient(q)); a.Verdict == seqmc.Safe || err != nil {
			return a, err
		}
	}
	return Answer{}, fmt.Errorf("no violation within %d rounds, loops gone around %d times", maxBound, (maxBound+1)/2)
}

// enoughRounds tries to show that the rounds are enough, if it is time for that. The error
// is for bounds that are enough without the check confirming it, and for the end of ctx.
func enoughRounds(ctx context.Context, t *Task, rounds, enough int) (Answer, error) {
	if rounds < enough && rounds%confirmAt != 0 {
		return Answer{}, nil
	}
	if rounds >= enough {
		return t.confirmOrders(ctx, 0)
	}
	a, err := t.ordersWithin(ctx, 0, confirmTime)
	if err != nil {
		return Answer{}, ctx.Err()
	}
	return a, nil
}

// maxBound bounds the rounds; confirmAt is where it is tried whether they are enough.
const maxBound, confirmAt = 64, 3

// confirmTime is how long it is tried then: longer only if nothing else is left to do.
const confirmTime = 10 * time.Second

// findIn returns a path to an error in a sequentialization, nil if there is none.
func findIn(ctx context.Context, t *Task, seq *ir.Program) ([]*ir.Edge, error) {
	if !seq.Threads[0].HasErrors() {
		return nil, nil
	}
	defer t.Options.Timings.Start(timing.Events)()
	return bmc.Find(ctx, seq, t.Log.Named("bmc"))
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
