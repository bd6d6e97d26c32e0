package interp

import (
	"fmt"
	"slices"

	"comus/boolprog"
)

// apply takes a step that check allows.
func (m *machine) apply(s Step) {
	t := slices.Clone(m.threads[s.Thread])
	m.globals = s.Globals
	top := &t[len(t)-1]
	switch {
	case s.Edge == nil:
		t = t[:len(t)-1]
		if len(t) > 0 {
			below := &t[len(t)-1]
			below.Vars, below.Node, below.Call = s.Vars, below.Call.To, nil
		}
	case s.Edge.Callee != nil:
		top.Call = s.Edge
		t = append(t, Frame{Proc: s.Edge.Callee, Node: s.Edge.Callee.Entry, Vars: s.Vars})
	default:
		top.Node, top.Vars = s.Edge.To, s.Vars
	}
	m.threads = slices.Clone(m.threads)
	m.threads[s.Thread] = t
}

// node returns where a thread's control is; the zero node if it has ended.
func (m *machine) node(thread int) boolprog.Node {
	t := m.threads[thread]
	if len(t) == 0 {
		return boolprog.Node{}
	}
	return t[len(t)-1].Proc.Nodes[t[len(t)-1].Node]
}

// Replay confirms that an execution is one of its program, that its contexts are
// within the given number of rounds of the schedule, and that an assertion fails at
// its end. The error says what is wrong.
func Replay(x *Execution, rounds int) error {
	p := x.Program
	if len(x.Globals) != len(p.Globals) || len(x.Vars) != len(p.Threads) {
		return fmt.Errorf("the start has the wrong number of variables")
	}
	for i, f := range p.Threads {
		if len(x.Vars[i]) != len(f.Vars) {
			return fmt.Errorf("the start of thread %d has the wrong number of variables", i+1)
		}
	}
	if !Initial(p, x.Globals) {
		return fmt.Errorf("the start is not an initial state")
	}
	m := start(p, x.Globals, x.Vars)
	round, thread := 1, 0
	for i, s := range x.Steps {
		if s.Thread < 0 || s.Thread >= len(m.threads) || s.Round > rounds {
			return fmt.Errorf("step %d: thread %d in round %d is beyond the schedule", i+1, s.Thread+1, s.Round)
		}
		if s.Round < round || s.Round == round && s.Thread < thread {
			return fmt.Errorf("step %d: thread %d in round %d is against the schedule", i+1, s.Thread+1, s.Round)
		}
		if (s.Round != round || s.Thread != thread) && m.node(thread).Atomic {
			return fmt.Errorf("step %d: thread %d is interrupted in an atomic block", i+1, thread+1)
		}
		round, thread = s.Round, s.Thread
		if err := m.check(s); err != nil {
			return fmt.Errorf("step %d: thread %d: %w", i+1, s.Thread+1, err)
		}
		m.apply(s)
	}
	if !m.node(thread).Error {
		return fmt.Errorf("no assertion fails at the end")
	}
	return nil
}
