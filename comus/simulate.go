package comus

import (
	"context"
	"time"

	"comus/check"
	"comus/internal/timing"
	"comus/ir"
	"comus/seqmc"
	"comus/simulate"
)

// Before anything else, a program is run a few times with random schedules, which is
// enough for many violations and too short to matter otherwise. While the modular
// algorithm is at work, more runs are made beside it for a small part of the time.

// The first runs end after simulateFirst or simulateRuns. The runs beside have one part
// in simulateShare of the time, in pieces, and simulateMost all in all.
const (
	simulateFirst = 10 * time.Millisecond
	simulateRuns  = 1000
	simulateShare = 8
	simulateMost  = 30 * time.Second
)

// simulation looks for violations of the program as the front end made it.
type simulation struct {
	v   *verifier
	sim *simulate.Simulator // nil if there is none to be made
}

func newSimulation(v *verifier) *simulation {
	out := &simulation{v: v}
	if v.opts.NoSimulate || v.source.CheckStructure() != nil {
		return out
	}
	defer v.opts.Timings.Start(timing.Simulation)()
	sim, err := simulate.New(v.source)
	if err != nil {
		v.log.Debug("no simulation", "error", err)
		return out
	}
	v.source.Renumber() // certificates refer to that
	out.sim = sim
	return out
}

// first makes some runs and reports whether the program is found to be unsafe.
func (s *simulation) first(ctx context.Context) bool {
	if s.sim == nil {
		return false
	}
	limit := simulateFirst
	if s.v.opts.simulateOnly {
		limit = 0 // up to the end of ctx
	}
	stop := s.v.opts.Timings.Start(timing.Simulation)
	sched := s.sim.Search(ctx, simulate.Limits{Time: limit, Runs: simulateRuns})
	stop()
	s.v.log.Debug("simulation", "runs", s.sim.Stats().Runs, "steps", s.sim.Stats().Steps, "found", sched != nil)
	return sched != nil && s.accept(sched)
}

// beside does the work and makes runs meanwhile. If a run reaches an error location
// before the work has a verdict, the work is ended.
func (s *simulation) beside(ctx context.Context, work func(context.Context) error) error {
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
	err := work(working)
	cancel()
	if sched := <-found; sched != nil && s.v.res.Verdict == seqmc.Unknown && s.accept(sched) {
		return nil
	}
	return err
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

// accept replays a run, and makes it the result if it is a violation.
func (s *simulation) accept(sched *ir.Schedule) bool {
	cert := &check.Certificate{Format: check.Format, Version: check.Version}
	if err := s.v.replay(cert, *sched); err != nil {
		return false
	}
	s.v.res.Engine = "simulate"
	s.v.res.Reason = ""
	return true
}
