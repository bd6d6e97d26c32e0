package query

import (
	"context"
	"runtime"
	"sync"
	"time"

	"comus/internal/timing"
	"comus/seqmc"
)

// maxWorkers bounds how many candidates are checked at the same time. More would
// mostly be checks of candidates that nobody needs any more.
const maxWorkers = 4

// workers returns how many sequential checks may run at the same time.
func (h *Hierarchy) workers() int {
	if _, ok := h.Checker.(seqmc.Staged); !ok || h.Options.NoParallel {
		return 1
	}
	return min(runtime.GOMAXPROCS(0), maxWorkers)
}

// checkAll runs the sequential checks of candidates, at the same time if there is
// more than one, until it is clear which is the first to succeed. Later ones are
// stopped then and have no verdict.
func (h *Hierarchy) checkAll(ctx context.Context, batch []*attempt) error {
	staged, ok := h.Checker.(seqmc.Staged)
	if len(batch) < 2 || !ok {
		for _, a := range batch {
			var err error
			if a.result, err = h.check(ctx, a.level, false); err != nil {
				return err
			}
			if a.result.Verdict == seqmc.Safe {
				break
			}
		}
		return nil
	}
	var tasks []seqmc.Task
	defer func() {
		for _, t := range tasks {
			t.Close()
		}
	}()
	for _, a := range batch { // all are written down before any runs: that needs the store
		h.announce(a.level)
		tasks = append(tasks, staged.Prepare(a.level.Program))
	}
	defer h.timings.Start(timing.Sequential)()
	start := time.Now()
	defer func() { h.Stats.SeqTime += time.Since(start) }()
	return h.race(ctx, tasks, batch, start)
}

// race runs tasks at the same time and reads off their answers in order, until one
// is Safe.
func (h *Hierarchy) race(ctx context.Context, tasks []seqmc.Task, batch []*attempt, start time.Time) error {
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make([]chan struct{}, len(tasks))
	for i, t := range tasks {
		done[i] = make(chan struct{})
		running.Go(func() {
			defer close(done[i])
			t.Run(ctx)
		})
	}
	for i, a := range batch {
		<-done[i]
		r, err := tasks[i].Result(ctx)
		if err != nil {
			return err
		}
		a.result = r
		h.checked(a.level, r, time.Since(start))
		if r.Verdict == seqmc.Safe {
			return nil
		}
	}
	return nil
}
