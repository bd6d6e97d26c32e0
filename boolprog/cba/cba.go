// Package cba decides whether an assertion of a concurrent Boolean program can fail
// when each thread has at most K execution contexts, with BDDs: the context-bounded
// analysis of Lal and Reps, Reducing Concurrent Analysis Under a Context Bound to
// Sequential Analysis. The schedule is round-robin, the threads in their order, K
// rounds (section 2.3); a thread may do nothing in a context, so that all schedules
// with at most K-1 context switches are among those of K rounds, and many more.
//
// Lazy is section 6, Fig. 5, for any number of threads, with the difference that
// thread.go explains. Eager is the same with any state at the start of a context, as in
// section 7 (both in schedule.go). Sequential is the reduction of sections 2 and 3: the
// program of Fig. 1 with K copies of the global variables (sequential.go), decided by the
// rules R0 to R3 of Fig. 3. All are the same saturation of relations between states in
// thread.go: Fig. 3 is Fig. 5 with one thread and one context.
package cba

import (
	"context"
	"fmt"

	"comus/boolprog"
	"comus/boolprog/bdd"
	"comus/boolprog/interp"
)

// Method is how to analyse.
type Method int

// The methods.
const (
	Lazy Method = iota
	Eager
	Sequential
)

// Methods lists them, the default first.
var Methods = []Method{Lazy, Eager, Sequential}

// String returns the method's name.
func (m Method) String() string { return [...]string{"lazy", "eager", "sequential"}[m] }

// MaxContexts bounds Options.Contexts: what an analysis needs at least grows with them.
const MaxContexts = 1000

// Options say what to analyse.
type Options struct {
	Contexts int // of each thread: K, from 1 to MaxContexts
	Method   Method
	MaxNodes int // BDD nodes at most; 0: any number
}

// Result is what an analysis has found.
type Result struct {
	Unsafe    bool
	Complete  bool                      // there is no execution but those within the bound
	Execution *interp.Execution         // of Unsafe: one in which an assertion fails, replayed
	Contexts  int                       // in which it fails
	Nodes     int                       // of BDDs
	final     func(globals []bool) bool // not Unsafe: can this be the state at the end of the last round
}

// Analyze decides a program under a bound. An execution it returns has been
// confirmed by interp.Replay. The error is that of ctx, or says that there were too
// many nodes; *InternalError is a bug.
func Analyze(ctx context.Context, p *boolprog.Program, o Options) (res *Result, err error) {
	if o.Contexts < 1 || o.Contexts > MaxContexts {
		return nil, fmt.Errorf("the contexts of each thread must be from 1 to %d, not %d", MaxContexts, o.Contexts)
	}
	if len(p.Threads) == 1 {
		o.Contexts = 1 // nobody interrupts the thread
	}
	err = bdd.Do(func() error {
		m := bdd.New(ctx, o.MaxNodes)
		if o.Method == Sequential {
			res, err = reduced(m, p, o.Contexts)
		} else {
			res, err = scheduled(m, p, o.Contexts, o.Method == Eager)
		}
		if err != nil {
			return &InternalError{err}
		}
		res.Nodes = m.Nodes()
		return nil
	})
	if err != nil {
		return nil, err
	}
	res.Complete = res.Unsafe || len(p.Threads) == 1
	if !res.Unsafe {
		return res, nil
	}
	if err := interp.Replay(res.Execution, o.Contexts); err != nil {
		return nil, &InternalError{fmt.Errorf("the execution cannot be replayed: %w", err)}
	}
	if steps := res.Execution.Steps; len(steps) > 0 {
		res.Contexts = steps[len(steps)-1].Round
	}
	return res, nil
}

// InternalError is a failure of the analysis itself.
type InternalError struct{ err error }

// Error says what failed.
func (e *InternalError) Error() string { return "internal error: " + e.err.Error() }

// Unwrap returns what failed.
func (e *InternalError) Unwrap() error { return e.err }

// newSpace returns the BDD variables for a program.
func newSpace(m *bdd.Manager, p *boolprog.Program, contexts int) *space {
	s := &space{Manager: m, contexts: contexts, globals: len(p.Globals)}
	for _, f := range p.Procs {
		s.locals = max(s.locals, len(f.Vars))
	}
	return s
}

// scheduled applies the rules of Fig. 5.
func scheduled(m *bdd.Manager, p *boolprog.Program, contexts int, eager bool) (*Result, error) {
	sp := newSpace(m, p, contexts)
	s := newSchedule(sp, p, eager)
	if v := s.run(contexts); v != nil {
		x, err := s.execution(p, v)
		return &Result{Unsafe: true, Execution: x}, err
	}
	return &Result{final: sp.contains(s.final(contexts), sp.tuple(now, contexts, contexts))}, nil
}

// contains returns the function that tells whether a set has a member with these
// values of some variables, the only ones that matter for it.
func (s *space) contains(set bdd.Node, vars []int) func(values []bool) bool {
	return func(values []bool) bool {
		p := make(point, s.vars())
		for i, v := range vars {
			p[v] = values[i]
		}
		return s.Eval(set, func(v int) bool { return p[v] })
	}
}

// reduced analyses the sequential program.
func reduced(m *bdd.Manager, p *boolprog.Program, contexts int) (*Result, error) {
	q := sequentialise(p, contexts)
	sp := newSpace(m, q.out, 1)
	t := newThread(newGraph(sp, q.out), q.out.Threads[0], true)
	t.begin(bdd.True)
	t.saturate()
	if len(t.errors) > 0 {
		x, err := q.execution(t)
		return &Result{Unsafe: true, Execution: x}, err
	}
	end := t.relations[place{node{t.main, t.main.Exit}, 1, 1}]
	if end == nil {
		return &Result{final: func([]bool) bool { return false }}, nil
	}
	var vars, away []int
	for v := range sp.vars() {
		away = append(away, v)
	}
	for _, v := range q.copies[contexts-1] {
		vars = append(vars, sp.global(now, 1, v.Index))
	}
	set := sp.Exists(end.all, sp.Set(without(away, vars)...))
	return &Result{final: sp.contains(set, vars)}, nil
}
