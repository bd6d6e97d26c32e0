package comus

import (
	"context"
	"slices"
	"time"

	"comus/cfront"
	"comus/seqmc"
)

// A loop that creates threads without a constant bound is cut off after
// cfront.Options.MaxThreads rounds. Larger bounds may have violations that this one has
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

// growSimulated looks for a violation with more threads by simulation; nil if it finds
// none.
func growSimulated(ctx context.Context, file string, opts Options) *Result {
	if opts.NoSimulate {
		return nil
	}
	for _, n := range larger(opts) {
		r := growTo(ctx, file, opts, n, growSimulation, true)
		if r == nil {
			break
		}
		if r.Verdict == seqmc.Unsafe {
			return r
		}
	}
	return nil
}

// larger returns the bounds above that of the options.
func larger(opts Options) []int {
	return slices.DeleteFunc(slices.Clone(growBounds), func(n int) bool { return n <= opts.Source.MaxThreads })
}

// grow verifies the program with more threads than res was found with. It returns res
// if there is nothing to add, otherwise a violation, or the Unknown of the largest
// bound that was searched completely.
func grow(ctx context.Context, file string, opts Options, res *Result) *Result {
	start := time.Now()
	opts.NoSimulate = true
	for _, n := range larger(opts) {
		limit := min(max(growLeast, time.Since(start)), growMost)
		r := growTo(ctx, file, opts, n, limit, false)
		if r == nil || !r.complete && r.Verdict != seqmc.Unsafe {
			break
		}
		if res = r; r.Verdict == seqmc.Unsafe {
			break
		}
	}
	return res
}

// growTo verifies, or only simulates, the program with at most n threads for each loop.
// It returns nil if that is not possible.
func growTo(ctx context.Context, file string, opts Options, n int, limit time.Duration, simulateOnly bool) *Result {
	if ctx.Err() != nil {
		return nil
	}
	opts.Source.MaxThreads = n
	src, err := cfront.ParseFile(file, opts.Source)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	opts.simulateOnly = simulateOnly
	res, err := verifySource(ctx, file, src, opts)
	if err != nil {
		return nil
	}
	return res
}
