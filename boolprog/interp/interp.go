// Package interp runs concurrent Boolean programs step by step, with explicit
// values. It is what their meaning rests on: Replay confirms an execution before
// it is printed, Explore visits all states of a small program and is the oracle of
// the tests. It shares nothing with the symbolic analysis but the program.
package interp

import (
	"fmt"
	"slices"

	"comus/boolprog"
)

// values are the values an expression can have.
type values struct{ false, true bool }

// can tells whether v is among the values.
func (s values) can(v bool) bool { return v && s.true || !v && s.false }

// state is what an expression reads: the variables, and those after the step.
type state struct {
	globals, locals         []bool
	globalsAfter, varsAfter []bool
}

// eval returns the values of an expression, each * on its own.
func (s *state) eval(e *boolprog.Expr) values {
	var a [3]values
	for i, arg := range e.Args {
		a[i] = s.eval(arg)
	}
	combine := func(f func(x, y bool) bool) (r values) {
		for _, x := range []bool{false, true} {
			for _, y := range []bool{false, true} {
				if a[0].can(x) && a[1].can(y) {
					r.add(f(x, y))
				}
			}
		}
		return r
	}
	switch e.Op {
	case boolprog.OpConst:
		return values{!e.Value, e.Value}
	case boolprog.OpVar:
		v := s.read(e)
		return values{!v, v}
	case boolprog.OpChoice:
		return values{true, true}
	case boolprog.OpNot:
		return values{a[0].true, a[0].false}
	case boolprog.OpAnd:
		return combine(func(x, y bool) bool { return x && y })
	case boolprog.OpOr:
		return combine(func(x, y bool) bool { return x || y })
	case boolprog.OpXor:
		return combine(func(x, y bool) bool { return x != y })
	case boolprog.OpEqual:
		return combine(func(x, y bool) bool { return x == y })
	case boolprog.OpImplies:
		return combine(func(x, y bool) bool { return !x || y })
	case boolprog.OpIte:
		return values{a[0].true && a[1].false || a[0].false && a[2].false, a[0].true && a[1].true || a[0].false && a[2].true}
	case boolprog.OpSchoose:
		open := a[0].false && a[1].false
		return values{a[0].false && a[1].true || open, a[0].true || open}
	}
	panic(fmt.Sprintf("unknown operator %d", e.Op))
}

// add makes v one of the values.
func (s *values) add(v bool) {
	if v {
		s.true = true
	} else {
		s.false = true
	}
}

// read returns the value of a variable.
func (s *state) read(e *boolprog.Expr) bool {
	switch {
	case e.Var.Global && e.Primed:
		return s.globalsAfter[e.Var.Index]
	case e.Var.Global:
		return s.globals[e.Var.Index]
	case e.Primed:
		return s.varsAfter[e.Var.Index]
	}
	return s.locals[e.Var.Index]
}

// allows tells whether an expression can be true; nil can.
func (s *state) allows(e *boolprog.Expr) bool { return e == nil || s.eval(e).true }

// Frame is a procedure that has begun and not ended.
type Frame struct {
	Proc *boolprog.Proc
	Node int
	Vars []bool
	Call *boolprog.Edge // the call it waits for
}

// Thread is a thread's stack, the running procedure last. An empty one has ended.
type Thread []Frame

// Step is a step of an execution. Edge is nil if the running procedure, which is
// at its exit, returns to its caller.
type Step struct {
	Thread  int // from 0
	Round   int // from 1
	Edge    *boolprog.Edge
	Globals []bool // after the step
	Vars    []bool // of the procedure that runs after the step; nil if none does
}

// Execution is a run of a program.
type Execution struct {
	Program *boolprog.Program
	Globals []bool   // at the start
	Vars    [][]bool // of each thread's procedure at its start
	Steps   []Step
}

// machine is a program at a moment of its execution.
type machine struct {
	prog    *boolprog.Program
	globals []bool
	threads []Thread
}

// start returns the program at its start.
func start(p *boolprog.Program, globals []bool, vars [][]bool) *machine {
	m := &machine{prog: p, globals: globals}
	for i, f := range p.Threads {
		m.threads = append(m.threads, Thread{{Proc: f, Node: f.Entry, Vars: vars[i]}})
	}
	return m
}

// Possible tells whether an edge of a procedure can be taken, from values of the global
// variables and of the procedure's to others; a call, to those of the callee.
func Possible(p *boolprog.Program, f *boolprog.Proc, e *boolprog.Edge, globals, vars, globalsAfter, varsAfter []bool) bool {
	m := &machine{p, globals, []Thread{{{Proc: f, Node: e.From, Vars: vars}}}}
	return m.check(Step{Edge: e, Globals: globalsAfter, Vars: varsAfter}) == nil
}

// check tells why a step is not possible.
func (m *machine) check(s Step) error {
	t := m.threads[s.Thread]
	if len(t) == 0 {
		return fmt.Errorf("the thread has ended")
	}
	top := t[len(t)-1]
	if len(s.Globals) != len(m.globals) {
		return fmt.Errorf("%d global variables, not %d", len(s.Globals), len(m.globals))
	}
	if s.Edge == nil {
		return m.checkReturn(t, s)
	}
	if s.Edge.From != top.Node || !slices.Contains(top.Proc.Edges, s.Edge) {
		return fmt.Errorf("control is elsewhere")
	}
	st := &state{m.globals, top.Vars, s.Globals, s.Vars}
	if f := s.Edge.Callee; f != nil {
		if !slices.Equal(s.Globals, m.globals) {
			return fmt.Errorf("a call changes a global variable")
		}
		if len(s.Vars) != len(f.Vars) {
			return fmt.Errorf("%d variables, not %d", len(s.Vars), len(f.Vars))
		}
		for i, e := range s.Edge.Values {
			if !st.eval(e).can(s.Vars[i]) {
				return fmt.Errorf("parameter %s cannot be %t", f.Vars[i], s.Vars[i])
			}
		}
		return nil
	}
	if len(s.Vars) != len(top.Vars) {
		return fmt.Errorf("%d variables, not %d", len(s.Vars), len(top.Vars))
	}
	if !st.allows(s.Edge.Guard) {
		return fmt.Errorf("the condition cannot hold")
	}
	if !st.allows(s.Edge.Constrain) {
		return fmt.Errorf("the constraint cannot hold")
	}
	return m.checkValues(top, s, func(i int) values { return st.eval(s.Edge.Values[i]) }, s.Edge.Targets)
}

// checkReturn tells why the running procedure cannot return so.
func (m *machine) checkReturn(t Thread, s Step) error {
	top := t[len(t)-1]
	if top.Node != top.Proc.Exit {
		return fmt.Errorf("%s has not come to its end", top.Proc.Name)
	}
	if len(t) == 1 {
		if !slices.Equal(s.Globals, m.globals) || s.Vars != nil {
			return fmt.Errorf("the end of a thread changes a variable")
		}
		return nil
	}
	below := t[len(t)-2]
	if len(s.Vars) != len(below.Vars) {
		return fmt.Errorf("%d variables, not %d", len(s.Vars), len(below.Vars))
	}
	result := func(i int) values {
		v := top.Vars[top.Proc.Result(i).Index]
		return values{!v, v}
	}
	return m.checkValues(below, s, result, below.Call.Targets)
}

// checkValues tells why the variables after a step are wrong: each target has one
// of its values, all others keep theirs.
func (m *machine) checkValues(f Frame, s Step, value func(i int) values, targets []boolprog.Var) error {
	set := map[boolprog.Var]int{}
	for i, v := range targets {
		set[v] = i
	}
	check := func(v boolprog.Var, before, after bool) error {
		i, ok := set[v]
		if ok && !value(i).can(after) || !ok && before != after {
			return fmt.Errorf("%s cannot be %t", m.prog.VarName(f.Proc, v), after)
		}
		return nil
	}
	for i := range m.globals {
		if err := check(boolprog.Var{Global: true, Index: i}, m.globals[i], s.Globals[i]); err != nil {
			return err
		}
	}
	for i := range f.Vars {
		if err := check(boolprog.Var{Index: i}, f.Vars[i], s.Vars[i]); err != nil {
			return err
		}
	}
	return nil
}
