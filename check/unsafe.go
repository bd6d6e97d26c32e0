package check

import (
	"errors"
	"fmt"
	"slices"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// Unsafe verifies a certificate of a violation: it rebuilds the schedule and
// replays it step by step. It returns the execution if it is possible, ends
// with a thread at an error location and depends on no approximation, and otherwise
// an error: an [Inexact] if only the last is missing. p must have been
// renumbered (see [ir.Program.Renumber]).
func Unsafe(p *ir.Program, c *Certificate) (tr interp.Trace, err error) {
	defer func() {
		if r := recover(); r != nil {
			tr, err = interp.Trace{}, fmt.Errorf("the certificate could not be checked: %v", r)
		}
	}()
	if c == nil || c.Verdict != "UNSAFE" || c.Schedule == nil {
		return tr, errors.New("the certificate is not one of a violation")
	}
	if err := p.Single(); err != nil {
		return tr, err
	}
	if _, err := newProgram(p); err != nil {
		return tr, err
	}
	sched, err := c.Schedule.ir(p)
	if err != nil {
		return tr, err
	}
	tr, err = interp.Replay(p, sched)
	if err == nil {
		err = exact(p, sched, tr)
	}
	if err != nil {
		return interp.Trace{}, err
	}
	return tr, nil
}

// Execution returns the schedule as one of the program, which must have been renumbered.
func (s *Schedule) Execution(p *ir.Program) (ir.Schedule, error) { return s.ir(p) }

// ir finds the schedule's variables and edges in the program.
func (s *Schedule) ir(p *ir.Program) (ir.Schedule, error) {
	out := ir.Schedule{Init: map[int]logic.Value{}}
	for name, text := range s.Init {
		i := slices.IndexFunc(p.Vars, func(v *ir.Var) bool { return v.Name == name })
		if i < 0 {
			return out, fmt.Errorf("there is no variable %q", name)
		}
		val, ok := logic.ParseValue(text)
		if !ok {
			return out, fmt.Errorf("%s cannot start as %q", name, text)
		}
		out.Init[i] = val
	}
	for i, st := range s.Steps {
		step, err := st.ir(p)
		if err != nil {
			return out, fmt.Errorf("step %d: %w", i+1, err)
		}
		out.Steps = append(out.Steps, step)
	}
	return out, nil
}

func (s Step) ir(p *ir.Program) (ir.Step, error) {
	if s.Thread < 0 || s.Thread >= len(p.Threads) {
		return ir.Step{}, fmt.Errorf("there is no thread %d", s.Thread)
	}
	t := p.Threads[s.Thread]
	if s.From < 0 || s.From >= len(t.Locs) {
		return ir.Step{}, fmt.Errorf("thread %d has no location %d", s.Thread, s.From)
	}
	l := t.Locs[s.From]
	if s.Edge < 0 || s.Edge >= len(l.Out) {
		return ir.Step{}, fmt.Errorf("there is no edge %d out of location %d of thread %d", s.Edge, s.From, s.Thread)
	}
	out := ir.Step{Edge: l.Out[s.Edge]}
	for _, text := range s.Inputs {
		val, ok := logic.ParseValue(text)
		if !ok {
			return ir.Step{}, fmt.Errorf("%q is no input", text)
		}
		out.Inputs = append(out.Inputs, val)
	}
	return out, nil
}

// NewSchedule writes a schedule of p down for a certificate. The program must have
// its final numbering.
func NewSchedule(p *ir.Program, s ir.Schedule) *Schedule {
	out := &Schedule{Init: map[string]string{}}
	for i, val := range s.Init {
		if i >= 0 && i < len(p.Vars) {
			out.Init[p.Vars[i].Name] = val.String()
		}
	}
	for _, st := range s.Steps {
		from := st.Edge.From
		step := Step{Thread: from.Thread.Index, From: from.Index, Edge: slices.Index(from.Out, st.Edge)}
		for _, val := range st.Inputs {
			step.Inputs = append(step.Inputs, val.String())
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}
