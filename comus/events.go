package comus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"comus/check"
	"comus/internal/timing"
	"comus/partialorder"
	"comus/seqmc"
)

// The strategy partial-order decides a program by reasoning about events, without any
// schedule: package partialorder looks for an execution in which a thread is the first to
// fail, with loops gone around more and more often. When nothing was cut off and no thread
// can fail, the program is safe; the check encodes all executions once more (check.Orders),
// for which the program must not have loops left after the passes.

// maxRounds bounds how often loops are gone around.
const maxRounds = 1 << 10

// partialOrderEngine is the strategy partial-order.
type partialOrderEngine struct{}

// Name returns the engine's name.
func (partialOrderEngine) Name() string { return "partial-order" }

// Decide goes around loops more and more often.
func (partialOrderEngine) Decide(ctx context.Context, t *Task) (Answer, error) {
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
	}
	return Answer{}, fmt.Errorf("no violation with loops gone around %d times", maxRounds)
}
