package cba

import (
	"errors"
	"math"
	"slices"

	"comus/boolprog"
	"comus/boolprog/bdd"
	"comus/boolprog/interp"
)

// execution returns an execution that ends in a violation: it fixes the tuples with
// which the threads begin and end their contexts, and explains each thread by itself.
func (s *schedule) execution(p *boolprog.Program, v *violation) (*interp.Execution, error) {
	k, j := v.place.contexts, v.thread
	bad, ok := s.threads[j].find(v.place, v.real, math.MaxInt)
	if !ok {
		return nil, explainError(v.place)
	}
	x := &interp.Execution{Program: p}
	for _, f := range p.Threads {
		x.Vars = append(x.Vars, make([]bool, len(f.Vars)))
	}
	begin, err := s.begins(bad, k, j)
	if err != nil {
		return nil, err
	}
	x.Globals = s.state(begin, atStart, 1)
	ends := make([]fact, len(s.threads))
	ends[j] = bad
	if err := s.earlier(ends, begin, bad, k, j); err != nil {
		return nil, err
	}
	if k > 1 {
		if err := s.later(ends, begin, bad, k-1, j); err != nil {
			return nil, err
		}
	}
	for i, f := range ends {
		if f.point == nil { // the thread has not begun
			continue
		}
		events, base, err := s.threads[i].whole(f)
		if err != nil {
			return nil, err
		}
		x.Vars[i] = s.vector(base.point, s.frame(local, len(p.Threads[i].Vars)))
		for _, e := range events {
			x.Steps = append(x.Steps, interp.Step{Thread: i, Round: e.context, Edge: e.edge,
				Globals: s.state(e.point, now, e.context), Vars: s.vector(e.point, s.frame(local, len(e.proc.Vars)))})
		}
	}
	sortSteps(x.Steps)
	return x, nil
}

// sortSteps puts the steps of the threads into the order of the schedule.
func sortSteps(steps []interp.Step) {
	slices.SortStableFunc(steps, func(a, b interp.Step) int {
		if a.Round != b.Round {
			return a.Round - b.Round
		}
		return a.Thread - b.Thread
	})
}

// vector returns the values of some variables.
func (s *space) vector(p point, vars []int) []bool {
	l := make([]bool, len(vars))
	for i, v := range vars {
		l[i] = p[v]
	}
	return l
}

// state returns the global state in a context.
func (s *space) state(p point, r role, context int) []bool {
	return s.vector(p, s.tuple(r, context, context))
}

// errLost says that the effects of the threads do not fit together: a bug.
var errLost = errors.New("the contexts of the threads do not fit together")

// move returns the variables of a point under other names: each of to has the value
// that its counterpart in from has.
func (s *space) move(p point, from, to []int) point {
	q := make(point, s.vars())
	for i, v := range from {
		q[to[i]] = p[v]
	}
	return q
}

// begins returns the tuple with which the first thread begins its contexts, as
// atStart, so that thread j comes to a fact in its context k.
func (s *schedule) begins(bad fact, k, j int) (point, error) {
	starts := s.tuple(atStart, 1, k)
	first := s.And(s.before[k][j], s.cube(s.move(bad.point, starts, s.tuple(now, 1, k)), s.tuple(now, 1, k)))
	first = s.Exists(first, s.Set(s.tuple(now, 1, k)...))
	if k > 1 { // what the last thread leaves behind is where the first one goes on
		from := append(s.tuple(atStart, 1, k-1), s.tuple(now, 1, k-1)...)
		to := append(s.tuple(next, 1, k-1), s.tuple(atStart, 2, k)...)
		last := s.rename(s.behind[k-1][j], from, to)
		here := s.tuple(next, 1, k-1)
		first = s.AndExists(first, s.And(last, s.cube(s.move(bad.point, s.tuple(now, 1, k-1), here), here)), s.Set(here...))
	}
	if first == bdd.False {
		return nil, errLost
	}
	return s.pick(first), nil
}

// earlier finds what the threads before thread j do in k contexts.
func (s *schedule) earlier(ends []fact, begin point, bad fact, k, j int) error {
	starts, ending := s.tuple(atStart, 1, k), s.tuple(now, 1, k)
	end := s.move(bad.point, starts, ending) // of the thread before, as now
	for i := j - 1; i >= 0; i-- {
		// The threads before i lead from begin to a tuple, thread i from there to end.
		prefix := s.And(s.before[k][i], s.cube(begin, starts))
		prefix = s.rename(s.Exists(prefix, s.Set(starts...)), ending, starts)
		n := s.And(prefix, s.effects[k][i], s.cube(end, ending))
		if n == bdd.False {
			return errLost
		}
		var ok bool
		if ends[i], ok = s.threads[i].reached(k, s.cube(s.pick(n), append(starts, ending...))); !ok {
			return errLost
		}
		end = s.move(ends[i].point, starts, ending)
	}
	return nil
}

// later finds what the threads behind thread j do in k contexts.
func (s *schedule) later(ends []fact, begin point, bad fact, k, j int) error {
	starts, ending := s.tuple(atStart, 1, k), s.tuple(now, 1, k)
	last := s.move(begin, s.tuple(atStart, 2, k+1), ending)
	from := s.move(bad.point, ending, starts)
	for i := j + 1; i < len(s.threads); i++ {
		suffix := s.And(s.behind[k][i], s.cube(last, ending))
		suffix = s.rename(s.Exists(suffix, s.Set(ending...)), starts, ending)
		n := s.And(suffix, s.effects[k][i], s.cube(from, starts))
		if n == bdd.False {
			return errLost
		}
		var ok bool
		if ends[i], ok = s.threads[i].reached(k, s.cube(s.pick(n), append(starts, ending...))); !ok {
			return errLost
		}
		from = s.move(ends[i].point, ending, starts)
	}
	return nil
}
