package confirm

import (
	"errors"
	"fmt"

	"comus/check"
	"comus/ir"
	"comus/ir/interp"
	"comus/ir/passes"
	"comus/logic"
)

// Suspicion is the error for an execution that was replayed, ends in a violation, and depends
// on approximations: it may be one of the source. It shows that no proof of the program is
// possible; whether the source has a violation is a question about the exact subject.
type Suspicion struct {
	Trace interp.Trace
	// On are the approximations that the execution depends on.
	On []ir.Approximation
	// Certificate has the execution. It is none of UNSAFE: no check accepts it.
	Certificate *check.Certificate
}

// Error is the reason of Unknown.
func (s *Suspicion) Error() string {
	return fmt.Sprintf("possible violation at %s, it depends on %s", s.Trace.Error.Pos, check.Several(s.On))
}

// Depends reports whether the step of an edge is one that the execution depends on.
func (s *Suspicion) Depends(e *ir.Edge) bool {
	for _, a := range s.On {
		if a == e.Approximation() {
			return true
		}
	}
	return false
}

// ErrExact is the error for a proof of an exact subject.
var ErrExact = errors.New("there is no violation without approximations, which says nothing of those with them")

// Exact returns the subject of those executions that no approximation has a part in
// (passes.Exact). A violation of it is one of the program, and the only thing that counts.
func (s *Subject) Exact() *Subject {
	s.split.Do(func() {
		s.without = &Subject{Original: s.Original, Read: s.Read, ID: s.ID, Timings: s.Timings, exact: true}
	})
	return s.without
}

// OnlyExact reports whether the subject is an exact one.
func (s *Subject) OnlyExact() bool { return s.exact }

// Base returns the program before the passes whose executions the subject is about: the
// original one, or that without approximations.
func (s *Subject) Base() (*ir.Program, error) {
	if !s.exact {
		return s.Original, nil
	}
	s.restrict.Do(func() {
		if s.restricted, s.unrestricted = passes.Exact(s.Original); s.unrestricted == nil {
			s.restricted.Program.Renumber()
		}
	})
	if s.unrestricted != nil {
		return nil, s.unrestricted
	}
	return s.restricted.Program, nil
}

// ofOriginal returns the execution of the original program that one of the base is.
func (s *Subject) ofOriginal(sched ir.Schedule) (ir.Schedule, error) {
	if !s.exact {
		return sched, nil
	}
	if _, err := s.Base(); err != nil {
		return sched, err
	}
	out := ir.Schedule{Init: map[int]logic.Value{}}
	for i, v := range s.Original.Vars {
		if k, ok := sched.Init[i]; ok && v.Init == nil {
			out.Init[i] = k
		}
	}
	for _, st := range sched.Steps {
		from := s.restricted.Origin[st.Edge]
		if len(from) != 1 {
			return out, fmt.Errorf("%s is no step of the program without approximations", st.Edge)
		}
		step := ir.Step{Edge: from[0], Inputs: st.Inputs}
		if step.Edge.Approx != "" { // any values: nothing depends on them
			step.Inputs = make([]logic.Value, len(interp.Havocs(step.Edge)))
		}
		out.Steps = append(out.Steps, step)
	}
	return out, nil
}
