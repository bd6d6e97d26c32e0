package comus

import (
	"context"
	"time"

	"comus/comus/confirm"
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

// found is the schedule of a run that failed.
type found struct {
	about *confirm.Subject
	sched *ir.Schedule
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
		if res := s.q.undecided(simulator); sched != nil && s.accept(found{r.about, sched}, res) {
			return res
		}
	}
	return nil
}

// beside does the work and makes runs meanwhile. If a run reaches an error location
// before the work has a verdict, the work is ended.
func (s *simulation) beside(ctx context.Context, work func(context.Context) *Result) *Result {
	if len(s.runs) == 0 {
		return work(ctx)
	}
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	one := make(chan *found, 1)
	go func() {
		f := s.now(working)
		if f != nil {
			cancel()
		}
		one <- f
	}()
	res := work(working)
	cancel()
	if f := <-one; f != nil && !res.decided() {
		s.accept(*f, res)
	}
	return res
}

// now makes runs now and then until ctx ends.
func (s *simulation) now(ctx context.Context) *found {
	own := time.Duration(0)
	for wait := 40 * time.Millisecond; own < simulateMost; wait = min(2*wait, 2*time.Second) {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		begin := time.Now()
		for _, r := range s.runs {
			limit := wait / time.Duration(simulateShare*len(s.runs))
			if sched := r.sim.Search(ctx, simulate.Limits{Time: limit}); sched != nil {
				return &found{r.about, sched}
			}
		}
		own += time.Since(begin)
	}
	return nil
}

// accept replays a run, and reports whether it is a violation, or may be one: then res is
// about it.
func (s *simulation) accept(f found, res *Result) bool {
	a, err := f.about.Executed(*f.sched)
	if res.suspect(err) {
		res.Engine = simulator
		return true
	}
	if err != nil {
		s.q.opts.Log.Error("the counterexample was not confirmed", "error", err)
		return false
	}
	res.Engine = simulator
	res.take(a)
	return true
}
