package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"comus/check"
	"comus/envmove/locpairs"
	"comus/internal/timing"
	"comus/partialorder"
	"comus/seqmc"
)

// The strategy partial-order decides a program by reasoning about events, without any
// schedule: package partialorder looks for an execution in which a thread is the first to
// fail, with loops gone around more and more often. When nothing was cut off and no thread
// can fail, the program is safe; the check encodes all executions once more (check.Orders).
// For a program whose loops do not end after a few rounds the modular algorithm is asked
// in between, for as long as everything before took; the report then names that.

// maxRounds bounds how often loops are gone around.
const maxRounds = 1 << 10

// PartialOrder is the strategy partial-order.
type PartialOrder struct{}

// Name returns the engine's name.
func (PartialOrder) Name() string { return "partial-order" }

// Decide goes around loops more and more often.
func (PartialOrder) Decide(ctx context.Context, t *Task) (Answer, error) {
	start := time.Now()
	for unwind := 1; unwind <= maxRounds; unwind *= 2 {
		all := true
		for _, main := range t.Program.Threads {
			if !main.HasErrors() {
				continue
			}
			done := t.Options.Timings.Start(timing.Events)
			blocks, complete, err := partialorder.Find(ctx, t.Program, t.Graphs, partialorder.Options{Main: main.Index, Unwind: unwind, Log: t.Log.Named("partialorder")})
			done()
			if err != nil {
				return Answer{}, err
			}
			if blocks != nil {
				return Answer{Verdict: seqmc.Unsafe, Steps: edgesOf(blocks)}, nil
			}
			all = all && complete
		}
		limit := max(time.Second, time.Since(start)/2)
		if all {
			limit = 24 * time.Hour
		}
		// One more: the check may have the first iteration inside the loop.
		a, err := t.ordersWithin(ctx, unwind+1, limit)
		if err == nil {
			return a, nil
		}
		if ctx.Err() != nil || all && !errors.Is(err, check.ErrBound) {
			return Answer{}, err
		}
		t.Log.Info("no violation", "loops gone around", unwind)
		if a, err := proveLoops(ctx, t, time.Since(start)); err == nil {
			return a, nil
		}
	}
	return Answer{}, fmt.Errorf("no violation with loops gone around %d times", maxRounds)
}

// proveLoopsLeast is the least time for one attempt to prove a program whose loops were
// cut.
const proveLoopsLeast = time.Second

// proveLoops has the modular algorithm verify a program of which the search for
// executions cut off a loop. In a portfolio that is at work anyway.
func proveLoops(ctx context.Context, t *Task, limit time.Duration) (Answer, error) {
	if t.Options.Alone {
		return Answer{}, errors.New("the modular algorithm has a process of its own")
	}
	ctx, cancel := context.WithTimeout(ctx, max(proveLoopsLeast, limit))
	defer cancel()
	a, err := Modular{}.Decide(ctx, t)
	if err != nil {
		t.Log.Info("no proof for every number of rounds", "error", err)
		locpairs.Reset(t.Graphs)
		return Answer{}, err
	}
	a.Engine = Modular{}.Name()
	return a, nil
}
