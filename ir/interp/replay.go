package interp

import (
	"fmt"
	"strings"

	"comus/ir"
	"comus/logic"
)

// Trace is a run of a program, step by step.
type Trace struct {
	Program *ir.Program
	Initial *State
	Steps   []TraceStep
	Final   *State
	Error   *ir.Loc // the error location reached; nil if none
}

// TraceStep is one step of a trace.
type TraceStep struct {
	Thread  *ir.Thread
	Edge    *ir.Edge
	Pos     ir.Pos
	Text    string  // the statement, for people
	Inputs  []Input // inputs of the program, not other havocs
	Changes []Change
}

// Input is a value the program got from outside.
type Input struct {
	Name  string // what gave it, "__VERIFIER_nondet_int"
	Value logic.Value
}

// Change is a variable that a step wrote. Old and New may be equal: that a write
// changes nothing is the very point of a lost update.
type Change struct {
	Var      *ir.Var
	Old, New logic.Value
}

// Replay runs the schedule. It succeeds only if each step is possible, its
// inputs included, and some thread is at an error location at the end. The
// trace is valid up to the step that the error is about.
func Replay(p *ir.Program, sched ir.Schedule) (Trace, error) {
	tr, err := Run(p, sched)
	if err != nil {
		return tr, err
	}
	if tr.Error == nil {
		return tr, fmt.Errorf("no thread is at an error location after the %d steps", len(sched.Steps))
	}
	return tr, nil
}

// Run is Replay for a schedule that need not end at an error location.
func Run(p *ir.Program, sched ir.Schedule) (Trace, error) {
	if err := p.Single(); err != nil {
		return Trace{}, err
	}
	s, err := Initial(p, sched.Init)
	if err != nil {
		return Trace{}, err
	}
	tr := Trace{Program: p, Initial: s, Final: s, Error: s.AtError()}
	tab := p.Symbols()
	for i, st := range sched.Steps {
		if st.Edge == nil {
			return tr, fmt.Errorf("step %d of %d: no edge", i+1, len(sched.Steps))
		}
		next, err := step(tab, s, st.Edge, st.Inputs)
		if err != nil {
			t := st.Edge.From.Thread
			return tr, fmt.Errorf("step %d of %d: thread %d (%s), %s: %w", i+1, len(sched.Steps), t.Index, t.Name, st.Edge, err)
		}
		tr.Steps = append(tr.Steps, traceStep(s, next, st))
		s = next
		tr.Final, tr.Error = s, s.AtError()
	}
	return tr, nil
}

func traceStep(before, after *State, st ir.Step) TraceStep {
	e := st.Edge
	ts := TraceStep{Thread: e.From.Thread, Edge: e, Pos: e.Pos, Text: e.Text}
	n := 0
	written := map[*ir.Var]bool{}
	for _, c := range e.Cmds {
		if c.Kind == ir.Assume {
			continue
		}
		if !written[c.Var] {
			written[c.Var] = true
			ts.Changes = append(ts.Changes, Change{c.Var, before.Value(c.Var), after.Value(c.Var)})
		}
		if c.Kind == ir.Havoc {
			if c.Input != "" {
				ts.Inputs = append(ts.Inputs, Input{c.Input, st.Inputs[n]})
			}
			n++
		}
	}
	return ts
}

// String returns the change as "x: 1 -> 2", by the name a user knows.
func (c Change) String() string {
	name := c.Var.Source
	if name == "" {
		name = c.Var.Name
	}
	return fmt.Sprintf("%s: %s -> %s", name, c.Old, c.New)
}

// String returns the interleaving as text, one line for each step: thread,
// place, statement, inputs and the variables written, without temporaries.
func (tr Trace) String() string {
	var b strings.Builder
	for i, s := range tr.Steps {
		fmt.Fprintf(&b, "%3d  thread %d (%s)  %s\n", i+1, s.Thread.Index, s.Thread.Name, s)
	}
	if tr.Error != nil {
		fmt.Fprintf(&b, "error in thread %d at %s: %s\n", tr.Error.Thread.Index, tr.Error.Pos, tr.Error.Text)
	}
	return b.String()
}

// String returns place, statement and effect of the step, without the thread.
func (s TraceStep) String() string {
	text := s.Text
	if text == "" {
		cmds := make([]string, len(s.Edge.Cmds))
		for i, c := range s.Edge.Cmds {
			cmds[i] = c.String()
		}
		text = strings.Join(cmds, "; ")
	}
	var effects []string
	for _, in := range s.Inputs {
		effects = append(effects, in.Name+"() = "+in.Value.String())
	}
	for _, c := range s.Changes {
		if c.Var.Source != "" {
			effects = append(effects, c.String())
		}
	}
	out := s.Pos.String() + "  " + text
	if len(effects) > 0 {
		out += "  [" + strings.Join(effects, ", ") + "]"
	}
	if s.Edge.Approx != "" {
		out += "  (approximates " + s.Edge.Approx + ")"
	}
	return out
}
