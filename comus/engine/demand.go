package engine

import (
	"context"
	"errors"
	"time"

	"comus/check"
	"comus/cutpoints"
	"comus/envmove/linear"
	"comus/envmove/locpairs"
	"comus/internal/timing"
	"comus/ir"
	"comus/resourceinv"
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
func (m *modular) near(main int) []bool {
	if m.Options.NoSeed || m.Options.NoDemand || len(m.p.Threads) <= 3 {
		return nil
	}
	near := locpairs.Near(m.p, main, nearRadius)
	if 2*locpairs.Pairs(m.p, near) > locpairs.Pairs(m.p, nil) {
		return nil
	}
	return near
}

// mainThread verifies the program with the first thread of an order as main.
func (m *modular) mainThread(ctx context.Context, order []int) (*check.Run, []*cutpoints.Block, error) {
	if near := m.near(order[0]); near != nil {
		run, blocks, err := m.tryNear(ctx, order, near)
		if err == nil || ctx.Err() != nil {
			return run, blocks, err
		}
		m.Log.Info("facts about the neighbours are not enough", "error", err)
	}
	if !m.Options.NoSeed {
		if err := m.seed(ctx); err != nil {
			return nil, nil, err
		}
	}
	if m.facts != nil {
		m.relate(ctx, m.facts, order[0], false)
		m.resources(ctx, m.facts, order[0])
	}
	run, blocks, err := m.hierarchy(ctx, order, m.facts, nil)
	if err == nil && m.facts != nil && !m.factsUsed {
		m.factsUsed = true
		m.used = append(m.used, m.facts)
	}
	return run, blocks, err
}

// tryNear makes one sequential check with facts about some threads. The error says
// why nothing was decided.
func (m *modular) tryNear(ctx context.Context, order []int, near []bool) (*check.Run, []*cutpoints.Block, error) {
	limit := nearMost
	if end, ok := ctx.Deadline(); ok {
		limit = max(nearLeast, min(nearMost, time.Until(end)/4))
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	facts, err := m.analyze(ctx, near)
	if err != nil {
		return nil, nil, err
	}
	m.relate(ctx, facts, order[0], true)
	m.resources(ctx, facts, order[0])
	before := m.stats
	run, blocks, err := m.hierarchy(ctx, order, facts, new(bool))
	m.stats.Checks = min(m.stats.Checks, before.Checks+1) // those refused were none
	m.stats.Iterations = min(m.stats.Iterations, before.Iterations+1)
	m.stats.Queries = before.Queries
	if run != nil {
		m.used = append(m.used, facts)
	}
	return run, blocks, err
}

// seed computes the facts about all threads and makes the blocks use them.
func (m *modular) seed(ctx context.Context) error {
	if m.facts != nil {
		locpairs.Reset(m.graphs)
		m.facts.Simplify()
		return nil
	}
	facts, err := m.analyze(ctx, nil)
	m.facts = facts
	return err
}

// analyze computes facts about threads (nil: all) and makes the blocks use them.
func (m *modular) analyze(ctx context.Context, near []bool) (*locpairs.Facts, error) {
	defer m.Options.Timings.Start(timing.Seeding)()
	locpairs.Reset(m.graphs)
	facts, err := locpairs.Analyze(ctx, m.p, m.graphs, locpairs.Options{Near: near})
	if err != nil {
		return nil, err
	}
	facts.Simplify()
	if len(m.p.Threads) == 1 {
		more, err := locpairs.Alone(ctx, m.p, m.graphs[0])
		if err != nil {
			return nil, err
		}
		facts.Add(more...)
	}
	return facts, nil
}

// relate adds to facts bounds of sums that prove assertions of a main thread, if there
// are any; a quick search leaves out those that are hard to find.
func (m *modular) relate(ctx context.Context, facts *locpairs.Facts, main int, quick bool) {
	if m.Options.NoRelational {
		return
	}
	defer m.Options.Timings.Start(timing.Seeding)()
	more := linear.Analyze(ctx, m.p, m.graphs, facts, main, quick)
	m.Log.Debug("bounds of sums", "facts", len(more))
	facts.Add(more...)
}

// resources adds to facts what is found of the variables that locks protect, and of each thread while it holds them.
func (m *modular) resources(ctx context.Context, facts *locpairs.Facts, main int) {
	if m.Options.NoResources || !hasLocks(m.p) || m.p.Single() != nil {
		return
	}
	defer m.Options.Timings.Start(timing.Seeding)()
	if m.protected == nil {
		found, err := resourceinv.Seeds(ctx, m.p, m.graphs, m.Log.Named("resourceinv"), m.Options.Resources)
		if err != nil {
			m.Log.Info("nothing is known of what locks protect", "error", err)
		}
		m.protected = append([]resourceinv.Invariant{}, found...)
	}
	for _, x := range m.protected {
		facts.Add(locpairs.Fact{At: []locpairs.Place{{Thread: x.Thread, Loc: x.Loc}}, Holds: x.Formula, Goal: x.Thread == main})
	}
}

// hasLocks reports whether some thread takes a lock.
func hasLocks(p *ir.Program) bool {
	found := false
	for _, t := range p.Threads {
		t.Edges(func(e *ir.Edge) { found = found || e.Kind == ir.Lock })
	}
	return found
}
