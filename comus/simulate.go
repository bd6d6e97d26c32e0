package comus

import (
	"context"
	"time"

	"comus/internal/timing"
	"comus/ir"
	"comus/simulate"
)

// Before anything else, a program is run a few times with random schedules, which is
// enough for many violations and too short to matter otherwise. While engines are at work,
// more runs are made beside them for a small part of the time.

// The first runs end after simulateFirst or simulateRuns. The runs beside have one part
// in simulateShare of the time, in pieces, and simulateMost all in all.
const (
	simulateFirst = 10 * time.Millisecond
	simulateRuns  = 1000
	simulateShare = 8
	simulateMost  = 30 * time.Second
)

// simulator is the name of simulation in reports.
const simulator = "simulate"

// simulation looks for violations of the program as the front end made it.
type simulation struct {
	q   *question
	sim *simulate.Simulator // nil if there is none to be made
}

// simulation prepares to run the program that the question is about.
func (q *question) simulation() *simulation {
	out := &simulation{q: q}
	if q.opts.NoSimulate || q.Original.CheckStructure() != nil {
		return out
	}
	defer q.opts.Timings.Start(timing.Simulation)()
	sim, err := simulate.New(q.Original)
	if err != nil {
		q.opts.Log.Debug("no simulation", "error", err)
		return out
	}
	out.sim = sim
	return out
}

// first makes some runs within some time, and returns the violation that they find; nil if
// they find none.
func (s *simulation) first(ctx context.Context, limit time.Duration) *Result {
	if s.sim == nil {
		return nil
	}
	stop := s.q.opts.Timings.Start(timing.Simulation)
	sched := s.sim.Search(ctx, simulate.Limits{Time: limit, Runs: simulateRuns})
	stop()
	s.q.opts.Log.Debug("simulation", "runs", s.sim.Stats().Runs, "steps", s.sim.Stats().Steps, "found", sched != nil)
	res := s.q.undecided(simulator)
	if sched == nil || !s.accept(sched, res) {
		return nil
	}
	return res
}

// beside does the work and makes runs meanwhile. If a run reaches an error location
// before the work has a verdict, the work is ended.
func (s *simulation) beside(ctx context.Context, work func(context.Context) *Result) *Result {
	if s.sim == nil {
		return work(ctx)
	}
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	found := make(chan *ir.Schedule, 1)
	go func() {
		sched := s.now(working)
		if sched != nil {
			cancel()
		}
		found <- sched
	}()
	res := work(working)
	cancel()
	if sched := <-found; sched != nil && !res.decided() {
		s.accept(sched, res)
	}
	return res
}

// now makes runs now and then until ctx ends.
func (s *simulation) now(ctx context.Context) *ir.Schedule {
	own := time.Duration(0)
	for wait := 40 * time.Millisecond; own < simulateMost; wait = min(2*wait, 2*time.Second) {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		begin := time.Now()
		if sched := s.sim.Search(ctx, simulate.Limits{Time: wait / simulateShare}); sched != nil {
			return sched
		}
		own += time.Since(begin)
	}
	return nil
}

// accept replays a run, and reports whether it is a violation: then res is about it.
func (s *simulation) accept(sched *ir.Schedule, res *Result) bool {
	a, err := s.q.Executed(*sched)
	if err != nil {
		s.q.opts.Log.Error("the counterexample was not confirmed", "error", err)
		return false
	}
	res.Engine = simulator
	res.take(a)
	return true
}
