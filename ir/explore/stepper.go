package explore

import (
	"comus/ir"
	"comus/logic"
)

// Stepper has one state of a program, and takes steps from it as fast as an
// exploration does. It knows the values of the variables only: where the threads
// are, and whether atomicity lets a thread run, is for the caller to know.
type Stepper struct {
	evaluator
	compile *compiler
	before  []int64 // scratch: the values that a step has overwritten
}

// NewStepper returns a Stepper for the program. The error is for variables that are
// too wide.
func NewStepper(p *ir.Program) (*Stepper, error) {
	if err := checkWidths(p); err != nil {
		return nil, err
	}
	return &Stepper{evaluator: newEvaluator(p), compile: newCompiler(p)}, nil
}

// Compiled is an edge that is ready to be taken.
type Compiled struct {
	e    *edge
	undo bool // an assumption comes after a write
}

// Compile prepares an edge of the program.
func (s *Stepper) Compile(e *ir.Edge) *Compiled {
	out := &Compiled{e: s.compile.edge(e)}
	wrote := false
	for _, c := range e.Cmds {
		out.undo = out.undo || wrote // an assignment can fail as well
		wrote = wrote || c.Kind != ir.Assume
	}
	return out
}

// Edge returns what was compiled.
func (c *Compiled) Edge() *ir.Edge { return c.e.src }

// WritesShared reports whether the edge writes a shared variable.
func (c *Compiled) WritesShared() bool { return c.e.shared }

// Values returns the values of the variables, by Var.Index and as [Stored]. The
// caller may change them.
func (s *Stepper) Values() []int64 { return s.m.vals }

// Take runs the commands of an edge; input gives the values, as [Stored], of its havoc
// commands in order. If the step is not possible, Take returns false and no variable
// has changed.
func (s *Stepper) Take(c *Compiled, input func(*ir.Var) int64) bool {
	if c.undo {
		s.before = s.before[:0]
		for _, w := range c.e.writes {
			s.before = append(s.before, s.m.vals[w])
		}
	}
	if s.run(c.e, input) {
		return true
	}
	if c.undo {
		for i, w := range c.e.writes {
			s.m.vals[w] = s.before[i]
		}
	}
	return false
}

// run runs commands up to one that is not possible. An assignment out of its variable's
// range, which no well-formed program makes, is not possible either.
func (s *Stepper) run(e *edge, input func(*ir.Var) int64) bool {
	for i := range e.cmds {
		c := &e.cmds[i]
		switch c.src.Kind {
		case ir.Assume:
			if !s.holds(c) {
				return false
			}
		case ir.Assign:
			v, err := s.value(c)
			if err != nil {
				return false
			}
			s.m.vals[c.src.Var.Index] = v
		case ir.Havoc:
			s.m.vals[c.src.Var.Index] = input(c.src.Var)
		}
	}
	return true
}

// Stored returns a value of at most 64 bits as a [Stepper] stores it: one of an unsigned
// 64-bit type as its bit pattern.
func Stored(v logic.Value) int64 { return store(v) }

// Loaded returns the value of a type that is stored as k.
func Loaded(t ir.Type, k int64) logic.Value { return load(t, k) }
