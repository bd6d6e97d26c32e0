package engine

import (
	"context"
	"time"

	"comus/cutpoints"
	"comus/ir"
	"comus/partialorder"
)

// An abstract counterexample of level 1 is a path of the main thread, with env_move
// in between. Instead of asking for one env_move after another, it is first put
// against the real threads as a whole: package partialorder looks for an execution
// in which the main thread takes this path, and if there is none, for one in which
// it takes another path to a violation that goes around loops no more often. Only if
// both fail is the path questioned in the modular way.

// concretizeLeast is the least time for one counterexample. The searches may also take
// as long, all in all, as everything else did.
const concretizeLeast = 2 * time.Second

// concretizer makes abstract counterexamples of one main thread concrete.
type concretizer struct {
	m     *modular
	main  int
	start time.Time
	own   time.Duration // of the searches so far
	// tried is the largest unwinding within which all paths of the main thread were
	// searched, in vain or until the time was over; hopeless tells that there is no
	// violation at all.
	tried    int
	hopeless bool
}

// find returns the steps of an execution that follows an abstract counterexample, or
// nil.
func (c *concretizer) find(ctx context.Context, path []*cutpoints.Block) ([]*cutpoints.Block, error) {
	if c.hopeless {
		return nil, nil
	}
	begin := time.Now()
	defer func() { c.own += time.Since(begin) }()
	limit, cancel := context.WithTimeout(ctx, max(concretizeLeast, begin.Sub(c.start)-2*c.own))
	defer cancel()
	unwind := rounds(path)
	opts := partialorder.Options{Main: c.main, Path: path, Unwind: unwind, Log: c.m.Log.Named("partialorder")}
	if steps := c.attempt(limit, opts); steps != nil || unwind <= c.tried {
		return steps, ctx.Err()
	}
	c.tried = unwind
	opts.Path = nil
	return c.attempt(limit, opts), ctx.Err()
}

// attempt makes one search. A search that ends in an error found nothing.
func (c *concretizer) attempt(ctx context.Context, opts partialorder.Options) []*cutpoints.Block {
	steps, complete, err := partialorder.Find(ctx, c.m.p, c.m.graphs, opts)
	if err != nil {
		c.m.Log.Debug("no answer whether the counterexample is real", "path given", opts.Path != nil, "error", err)
		return nil
	}
	c.hopeless = steps == nil && complete && opts.Path == nil
	return steps
}

// rounds returns how often a path goes around a loop at most, at least 1.
func rounds(path []*cutpoints.Block) int {
	visits, most := map[*ir.Loc]int{}, 1
	for _, b := range path {
		visits[b.From]++
		most = max(most, visits[b.From])
	}
	return most
}
