package cba

import (
	"math"
	"slices"

	"comus/boolprog"
	"comus/boolprog/bdd"
	"comus/boolprog/interp"
)

// execution returns the execution of the original program that a violation of the
// sequential one stands for.
func (s *sequential) execution(t *thread) (*interp.Execution, error) {
	bad, ok := t.find(t.errors[0], bdd.True, math.MaxInt)
	if !ok {
		return nil, explainError(t.errors[0])
	}
	events, _, err := t.whole(bad)
	if err != nil {
		return nil, err
	}
	x := &interp.Execution{Program: s.prog}
	current := -1
	for _, e := range events {
		from, known := s.origin[e.edge]
		switch {
		case e.edge == nil:
		case known:
			x.Steps = append(x.Steps, s.step(t, e, from, current))
		case e.edge.Callee != nil: // the driver starts a thread
			current++
			if current == 0 {
				x.Globals = s.values(t, e.point, 1)
			}
			x.Vars = append(x.Vars, s.locals(t, e.point, s.prog.Threads[current]))
		}
	}
	sortSteps(x.Steps)
	for i, step := range x.Steps { // the other threads went on to the end of the schedule
		if step.Edge != nil && step.Edge.Callee == nil && s.failing(step.Edge) {
			x.Steps = x.Steps[:i+1]
			break
		}
	}
	return x, nil
}

// failing tells whether an assertion has failed behind an edge.
func (s *sequential) failing(e *boolprog.Edge) bool {
	for _, f := range s.prog.Procs {
		if slices.Contains(f.Edges, e) {
			return f.Nodes[e.To].Error
		}
	}
	return false
}

// step returns the step of the original program that an event stands for.
func (s *sequential) step(t *thread, e event, from origin, thread int) interp.Step {
	step := interp.Step{Thread: thread, Round: from.context, Edge: from.edge,
		Globals: s.values(t, e.point, from.context), Vars: s.locals(t, e.point, s.origins[e.proc])}
	if from.back {
		step.Edge = nil
	}
	return step
}

// values returns the global state in a context.
func (s *sequential) values(t *thread, p point, context int) []bool {
	l := make([]bool, len(s.prog.Globals))
	for i, v := range s.copies[context-1] {
		l[i] = p[t.global(now, 1, v.Index)]
	}
	return l
}

// locals returns the variables of a procedure of the original program.
func (s *sequential) locals(t *thread, p point, f *boolprog.Proc) []bool {
	l := make([]bool, len(f.Vars))
	temps := len(s.procs[f].Vars) - len(f.Vars)
	for i := range l {
		at := i
		if i >= len(f.Vars)-f.Results {
			at += temps
		}
		l[i] = p[t.local(local, at)]
	}
	return l
}
