package comus

import (
	"context"
	"errors"
	"time"

	"comus/comus/confirm"
	"comus/internal/timing"
	"comus/ir"
	"comus/simulate"
)

// Before engines, a program taken apart is run a few times with random schedules, which is
// enough for many violations of small programs and too short to matter otherwise. While engines are at work, runs of the
// whole program (wholeruns.go) look for violations; where there are none, more runs of the program taken apart are made for a small part of the time.

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

// simulation looks for violations of the program as the front end made it. If that has
// approximations, the program without them comes first: what runs there is found is a violation
// for certain.
type simulation struct {
	q    *question
	runs []runs // empty if there are none to be made
}

// runs are those of one program.
type runs struct {
	about *confirm.Subject
	sim   *simulate.Simulator
}

// found is what became of a run that failed.
type found struct {
	answer confirm.Answer
	err    error // why it is none
}

// simulation prepares to run the program that the question is about.
func (q *question) simulation() *simulation {
	out := &simulation{q: q}
	if q.opts.NoSimulate || q.Original.CheckStructure() != nil {
		return out
	}
	defer q.opts.Timings.Start(timing.Simulation)()
	subjects := []*confirm.Subject{q.Subject}
	if q.approximated() {
		subjects = []*confirm.Subject{q.Subject.Exact(), q.Subject}
	}
	for _, about := range subjects {
		p, err := about.Base()
		if err == nil {
			var sim *simulate.Simulator
			if sim, err = simulate.New(p); err == nil {
				out.runs = append(out.runs, runs{about, sim})
				continue
			}
		}
		q.opts.Log.Debug("no simulation", "error", err)
	}
	return out
}

// first makes some runs within some time, and returns the violation that they find, or the
// execution that is suspected to be one; nil if they find none.
func (s *simulation) first(ctx context.Context, limit time.Duration) *Result {
	for _, r := range s.runs {
		stop := s.q.opts.Timings.Start(timing.Simulation)
		sched := r.sim.Search(ctx, simulate.Limits{Time: limit, Runs: simulateRuns})
		stop()
		s.q.opts.Log.Debug("simulation", "runs", r.sim.Stats().Runs, "steps", r.sim.Stats().Steps, "found", sched != nil)
		if res := s.q.undecided(simulator); sched != nil && s.accept(s.confirm(ctx, r.about, sched), res) {
			return res
		}
	}
	return nil
}

// beside does the work and makes runs meanwhile. If a run reaches an error location
// before the work has a verdict, the work is ended.
func (s *simulation) beside(ctx context.Context, work func(context.Context) *Result) *Result {
	if len(s.runs) == 0 || s.q.opts.runs != nil {
		return work(ctx)
	}
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	one := make(chan *found, 1)
	go func() {
		f := s.now(ctx, working)
		if f != nil {
			cancel()
		}
		one <- f
	}()
	res := work(working)
	cancel()
	if f := <-one; f != nil && !res.decided() {
		s.accept(f, res)
	}
	return res
}

// maxRefuted is how many executions that are not confirmed end the simulation.
const maxRefuted = 5

// now makes runs now and then until working ends. What it returns is confirmed, or a suspicion.
func (s *simulation) now(ctx, working context.Context) *found {
	refuted := 0
	own := time.Duration(0)
	for wait := 40 * time.Millisecond; own < simulateMost; wait = min(2*wait, 2*time.Second) {
		select {
		case <-working.Done():
			return nil
		case <-time.After(wait):
		}
		begin := time.Now()
		for _, r := range s.runs {
			limit := wait / time.Duration(simulateShare*len(s.runs))
			sched := r.sim.Search(working, simulate.Limits{Time: limit})
			if sched == nil {
				continue
			}
			if f := s.confirm(ctx, r.about, sched); f.counts() {
				return f
			}
			if refuted++; refuted == maxRefuted {
				return nil
			}
		}
		own += time.Since(begin)
	}
	return nil
}

// confirm replays a run.
func (s *simulation) confirm(ctx context.Context, about *confirm.Subject, sched *ir.Schedule) *found {
	a, err := about.Executed(ctx, *sched)
	f := &found{a, err}
	if !f.counts() && ctx.Err() == nil {
		s.q.opts.Log.Error("the counterexample was not confirmed", "engine", simulator, "error", err)
	}
	return f
}

// counts reports whether a run is a violation, or may be one.
func (f *found) counts() bool {
	suspicion := (*Suspicion)(nil)
	return f.err == nil || errors.As(f.err, &suspicion)
}

// accept reports whether a run is a violation, or may be one: then res is about it.
func (s *simulation) accept(f *found, res *Result) bool {
	if !f.counts() {
		return false
	}
	res.Engine = simulator
	if f.err == nil {
		res.take(f.answer)
		return true
	}
	return res.suspect(f.err)
}
