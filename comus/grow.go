package comus

import (
	"context"
	"time"

	"comus/seqmc"
)

// A loop that creates threads without a constant bound is cut off after
// specialise.Options.MaxThreads rounds. Larger bounds may have violations that this one has
// not: first all of them are simulated, for a short time each; if there is no violation
// within the default bound, they are verified one after another as long as that is quick.

// growBounds are the bounds to try.
var growBounds = []int{6, 12, 24, 48, 64}

// The times for one bound: of its simulation, and of its verification at least and at
// most; in between, as long as everything before it took.
const (
	growSimulation = 100 * time.Millisecond
	growLeast      = time.Second
	growMost       = 20 * time.Second
)

// grows reports whether the question is to be asked with more threads.
func (q *question) grows() bool { return q.opts.Grow && q.more }

// simulateLarger looks for a violation by simulation, with the threads that there are and then with
// more; nil if it finds none.
func (q *question) simulateLarger(ctx context.Context) *Result {
	if !q.grows() || q.opts.NoSimulate {
		return nil
	}
	if res := q.simulation().first(ctx, growSimulation); res != nil && res.decided() {
		return res
	}
	for larger := range q.larger(ctx) {
		if ctx.Err() != nil {
			return nil
		}
		if res := larger.simulation().first(ctx, growSimulation); res != nil && res.decided() {
			return res
		}
	}
	return nil
}

// grow answers the question with more threads, if everything within the bounds was searched
// for res. It returns res if there is nothing to add, otherwise a violation, or the Unknown
// of the largest bound that was searched completely.
func (q *question) grow(ctx context.Context, res *Result) *Result {
	if !q.grows() || !res.complete {
		return res
	}
	start := time.Now()
	for larger := range q.larger(ctx) {
		larger.opts.NoSimulate = true // that was done
		within, stop := context.WithTimeout(ctx, min(max(growLeast, time.Since(start)), growMost))
		r, err := larger.answer(within)
		stop()
		if err != nil || !r.complete && r.Verdict != seqmc.Unsafe && r.Suspected == nil {
			break
		}
		if res = r; !r.complete {
			break
		}
	}
	return res
}
