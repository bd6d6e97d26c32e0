package comus

import (
	"context"
	"errors"
	"time"

	"comus/check"
	"comus/cutpoints"
	"comus/envmove/linear"
	"comus/envmove/locpairs"
	"comus/internal/timing"
	"comus/seqmc"
)

// Often a property depends on few threads. So the first sequential check of a main
// thread is made with facts about that thread and its neighbours only; what this
// costs does not depend on the number of threads. If it does not decide, everything
// is done again with facts about all threads.

// nearRadius is how far from the main thread facts are computed at first. What comes
// of it has a quarter of the time left, but at least nearLeast and at most nearMost.
const (
	nearRadius = 1
	nearLeast  = 10 * time.Second
	nearMost   = 2 * time.Minute
)

// errFirstOnly says that one sequential check was not enough.
var errFirstOnly = errors.New("more than one sequential check is needed")

// firstOnly is a checker that makes one check.
type firstOnly struct {
	seqmc.Checker
	used *bool
}

// Check runs the checker the first time and fails after that.
func (c firstOnly) Check(ctx context.Context, p *seqmc.Program) (seqmc.Result, error) {
	if *c.used {
		return seqmc.Result{}, errFirstOnly
	}
	*c.used = true
	return c.Checker.Check(ctx, p)
}

// firstCounterexample returns find (which may be nil) with an error where it finds
// nothing: the counterexample is then not looked into any further.
func firstCounterexample(find func(context.Context, []*cutpoints.Block) ([]*cutpoints.Block, error)) func(context.Context, []*cutpoints.Block) ([]*cutpoints.Block, error) {
	return func(ctx context.Context, path []*cutpoints.Block) (steps []*cutpoints.Block, err error) {
		if find != nil {
			steps, err = find(ctx, path)
		}
		if steps == nil && err == nil {
			err = errFirstOnly
		}
		return steps, err
	}
}

// near returns the threads in the neighbourhood of a main thread, or nil if they are
// too many for a difference.
func (v *verifier) near(main int) []bool {
	if v.opts.NoSeed || v.opts.NoDemand || len(v.p.Threads) <= 3 {
		return nil
	}
	near := locpairs.Near(v.p, main, nearRadius)
	if 2*locpairs.Pairs(v.p, near) > locpairs.Pairs(v.p, nil) {
		return nil
	}
	return near
}

// mainThread verifies the program with the first thread of an order as main.
func (v *verifier) mainThread(ctx context.Context, order []int) (*check.Run, []*cutpoints.Block, error) {
	if near := v.near(order[0]); near != nil {
		run, blocks, err := v.tryNear(ctx, order, near)
		if err == nil || ctx.Err() != nil {
			return run, blocks, err
		}
		v.log.Info("facts about the neighbours are not enough", "error", err)
	}
	if !v.opts.NoSeed {
		if err := v.seed(ctx); err != nil {
			return nil, nil, err
		}
	}
	if v.facts != nil && !v.opts.NoRelational {
		v.relate(ctx, order[0])
	}
	run, blocks, err := v.hierarchy(ctx, order, v.facts, nil)
	if err == nil && v.facts != nil && !v.factsUsed {
		v.factsUsed = true
		v.used = append(v.used, v.facts)
	}
	return run, blocks, err
}

// tryNear makes one sequential check with facts about some threads. The error says
// why nothing was decided.
func (v *verifier) tryNear(ctx context.Context, order []int, near []bool) (*check.Run, []*cutpoints.Block, error) {
	limit := nearMost
	if end, ok := ctx.Deadline(); ok {
		limit = max(nearLeast, min(nearMost, time.Until(end)/4))
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	facts, err := v.analyze(ctx, near)
	if err != nil {
		return nil, nil, err
	}
	before := v.res.Stats
	run, blocks, err := v.hierarchy(ctx, order, facts, new(bool))
	v.res.Stats.Checks = min(v.res.Stats.Checks, before.Checks+1) // those refused were none
	v.res.Stats.Iterations = min(v.res.Stats.Iterations, before.Iterations+1)
	v.res.Stats.Queries = before.Queries
	if run != nil {
		v.used = append(v.used, facts)
	}
	return run, blocks, err
}

// seed computes the facts about all threads and makes the blocks use them.
func (v *verifier) seed(ctx context.Context) error {
	if v.facts != nil {
		locpairs.Reset(v.graphs)
		v.facts.Simplify()
		return nil
	}
	facts, err := v.analyze(ctx, nil)
	v.facts = facts
	return err
}

// analyze computes facts about threads (nil: all) and makes the blocks use them.
func (v *verifier) analyze(ctx context.Context, near []bool) (*locpairs.Facts, error) {
	defer v.opts.Timings.Start(timing.Seeding)()
	locpairs.Reset(v.graphs)
	facts, err := locpairs.Analyze(ctx, v.p, v.graphs, locpairs.Options{Near: near})
	if err != nil {
		return nil, err
	}
	facts.Simplify()
	if len(v.p.Threads) == 1 {
		more, err := locpairs.Alone(ctx, v.p, v.graphs[0])
		if err != nil {
			return nil, err
		}
		facts.Add(more...)
	}
	return facts, nil
}

// relate adds to the facts about all threads bounds of sums that prove assertions of
// a main thread, if there are any.
func (v *verifier) relate(ctx context.Context, main int) {
	defer v.opts.Timings.Start(timing.Seeding)()
	more := linear.Analyze(ctx, v.p, v.graphs, v.facts, main)
	v.log.Debug("bounds of sums", "facts", len(more))
	v.facts.Add(more...)
}
