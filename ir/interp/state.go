package interp

import (
	"errors"
	"fmt"
	"slices"

	"comus/ir"
	"comus/logic"
)

// ErrBlocked is wrapped by the errors of steps that the program cannot take in
// that state.
var ErrBlocked = errors.New("step not possible")

// ErrOutOfRange is wrapped by the errors of steps that assign a value outside
// the variable's type. The program is at fault then, not the schedule: whoever
// built it has to spell out C's conversions.
var ErrOutOfRange = errors.New("value out of range")

// State is a state of a program: a location for each thread and a value for
// each variable. States are never changed once made.
type State struct {
	Locs []*ir.Loc     // by Thread.Index
	Vals []logic.Value // by Var.Index
}

// Initial returns the state in which the program starts. init gives the values
// of variables that have no initial value of their own, by Var.Index; a missing
// one is 0.
func Initial(p *ir.Program, init map[int]logic.Value) (*State, error) {
	s := &State{make([]*ir.Loc, len(p.Threads)), make([]logic.Value, len(p.Vars))}
	for i, t := range p.Threads {
		s.Locs[i] = t.Entry
	}
	for i, v := range p.Vars {
		if v.Init != nil {
			s.Vals[i] = *v.Init
		}
	}
	for i, val := range init {
		switch {
		case i < 0 || i >= len(p.Vars):
			return nil, fmt.Errorf("initial value for variable %d, which does not exist", i)
		case p.Vars[i].Init != nil && *p.Vars[i].Init != val:
			return nil, fmt.Errorf("initial value %s for %s, which starts as %s", val, p.Vars[i].Name, p.Vars[i].Init)
		case !p.Vars[i].Type.Contains(val):
			return nil, fmt.Errorf("initial value %s for %s: %w of %s", val, p.Vars[i].Name, ErrOutOfRange, p.Vars[i].Type)
		}
		s.Vals[i] = val
	}
	return s, nil
}

// Value returns the value of v.
func (s *State) Value(v *ir.Var) logic.Value { return s.Vals[v.Index] }

// AtError returns an error location that some thread is at, or nil.
func (s *State) AtError() *ir.Loc {
	for _, l := range s.Locs {
		if l.Error {
			return l
		}
	}
	return nil
}

// MayRun reports whether atomicity lets thread t take a step: no other thread is
// at an atomic location.
func (s *State) MayRun(t int) bool {
	for i, l := range s.Locs {
		if i != t && l.Atomic {
			return false
		}
	}
	return true
}

// Enabled returns the edges that a thread may take from s, in order of threads.
// An edge with havoc commands is listed if its assumptions before the first of
// them hold; whether it can be taken depends on the inputs.
func Enabled(p *ir.Program, s *State) []*ir.Edge {
	var out []*ir.Edge
	tab := p.Symbols()
	for i, l := range s.Locs {
		if !s.MayRun(i) {
			continue
		}
		for _, e := range l.Out {
			n := slices.IndexFunc(e.Cmds, func(c ir.Cmd) bool { return c.Kind == ir.Havoc })
			if n < 0 {
				n = len(e.Cmds)
			}
			if _, err := runCmds(tab, e.Cmds[:n], s.Vals, nil); !errors.Is(err, ErrBlocked) {
				out = append(out, e)
			}
		}
	}
	return out
}

// Havocs returns the variables that the edge's havoc commands set, in order:
// inputs[i] of [Step] is the value for the i-th.
func Havocs(e *ir.Edge) []*ir.Var {
	var out []*ir.Var
	for _, c := range e.Cmds {
		if c.Kind == ir.Havoc {
			out = append(out, c.Var)
		}
	}
	return out
}

// Step returns the state after edge e was taken in s. inputs are the values of
// its havoc commands, in order. The error wraps [ErrBlocked] if the program
// cannot do that, and [ErrOutOfRange] if a value does not fit its variable.
func Step(p *ir.Program, s *State, e *ir.Edge, inputs []logic.Value) (*State, error) {
	return step(p.Symbols(), s, e, inputs)
}

func step(tab ir.SymTable, s *State, e *ir.Edge, inputs []logic.Value) (*State, error) {
	t := slices.Index(s.Locs, e.From)
	if t < 0 {
		return nil, fmt.Errorf("%w: no thread is at %s of thread %d", ErrBlocked, e.From, e.From.Thread.Index)
	}
	if !slices.Contains(e.From.Out, e) {
		return nil, fmt.Errorf("%w: the edge is not in the program", ErrBlocked)
	}
	if !s.MayRun(t) {
		return nil, fmt.Errorf("%w: another thread is in an atomic section", ErrBlocked)
	}
	if n := len(Havocs(e)); n != len(inputs) {
		return nil, fmt.Errorf("%w: it has %d inputs, %d given", ErrBlocked, n, len(inputs))
	}
	vals, err := runCmds(tab, e.Cmds, s.Vals, inputs)
	if err != nil {
		return nil, err
	}
	next := &State{slices.Clone(s.Locs), vals}
	next.Locs[t] = e.To
	return next, nil
}

// runCmds returns the values after the commands; the slice itself if they change nothing.
func runCmds(tab ir.SymTable, cmds []ir.Cmd, vals, inputs []logic.Value) ([]logic.Value, error) {
	env := func(sym *logic.Term) logic.Value { return vals[tab[sym].Index] }
	own := false
	set := func(v *ir.Var, to logic.Value) {
		if !own { // only now: most edges that are tried begin with an assumption that does not hold
			vals, own = slices.Clone(vals), true
		}
		vals[v.Index] = to
	}
	for _, c := range cmds {
		switch c.Kind {
		case ir.Assume:
			if !logic.Eval(c.Cond, env).Bool() {
				return nil, &blocked{c}
			}
		case ir.Assign:
			v := logic.Eval(c.Expr, env)
			if !c.Var.Type.Contains(v) {
				return nil, fmt.Errorf("%w: %s has type %s, and %s is %s", ErrOutOfRange, c.Var.Name, c.Var.Type, c, v)
			}
			set(c.Var, v)
		case ir.Havoc:
			v := inputs[0]
			inputs = inputs[1:]
			if !c.Var.Type.Contains(v) {
				return nil, fmt.Errorf("%w: input %s is no value of type %s", ErrBlocked, v, c.Var.Type)
			}
			set(c.Var, v)
		}
	}
	return vals, nil
}
