package smt

import (
	"context"
	"fmt"
	"time"

	"comus/internal/timing"
	"comus/logic"
	"comus/z3"
)

// Solver decides satisfiability of logic's formulas with a plain Z3 solver. It
// is for one goroutine.
type Solver struct {
	l     *logic.Store
	ctx   *z3.Context
	tr    *Translator
	s     *z3.Solver
	Calls int           // number of checks so far
	Time  time.Duration // time spent in them
	// Timings measures the checks as those of a component, too; may be nil.
	Timings *timing.Timings
}

// Status is a solver's answer.
type Status = z3.Status

// NewSolver returns a solver for terms of the store l.
func NewSolver(l *logic.Store) (*Solver, error) {
	return NewSolverOf(l, (*z3.Context).NewSimpleSolver)
}

// NewSolverOf is [NewSolver] with a solver of one's own making.
func NewSolverOf(l *logic.Store, make func(*z3.Context) *z3.Solver) (*Solver, error) {
	ctx, err := z3.NewContext(nil)
	if err != nil {
		return nil, fmt.Errorf("smt: %w", err)
	}
	return &Solver{l: l, ctx: ctx, tr: NewTranslator(ctx), s: make(ctx)}, nil
}

// Close frees the solver.
func (s *Solver) Close() { _ = s.ctx.Close() } // nothing can be done about a failure to free

// Push opens a scope; Pop drops the formulas asserted since.
func (s *Solver) Push() { s.s.Push() }

// Pop closes the innermost scope.
func (s *Solver) Pop() { s.s.Pop(1) }

// Assert adds formulas.
func (s *Solver) Assert(fs ...*logic.Term) { s.s.Assert(s.tr.Terms(fs)...) }

// Check decides the asserted formulas together with fs. On z3.Sat, the model
// gives a value to every variable (0 where it does not matter). On z3.Unknown,
// the error says why.
func (s *Solver) Check(ctx context.Context, fs ...*logic.Term) (Status, *Model, error) {
	start := time.Now()
	defer s.Timings.Start(timing.Solver)()
	defer func() { s.Calls++; s.Time += time.Since(start) }()
	if len(fs) > 0 {
		s.s.Push()
		defer s.s.Pop(1)
		s.Assert(fs...)
	}
	st, err := s.s.Check(ctx)
	if err != nil {
		return z3.Unknown, nil, err
	}
	switch st {
	case z3.Unsat:
		return st, nil, nil
	case z3.Unknown:
		return st, nil, fmt.Errorf("smt: %s", s.s.ReasonUnknown())
	}
	m, err := s.s.Model()
	if err != nil {
		return z3.Unknown, nil, err
	}
	return st, s.model(m), nil
}

// Valid reports whether the asserted formulas imply f. An error means that the
// solver could not tell.
func (s *Solver) Valid(ctx context.Context, f *logic.Term) (bool, error) {
	st, _, err := s.Check(ctx, s.l.Not(f))
	return st == z3.Unsat, err
}

// Model is an assignment found by a check.
type Model struct {
	values map[string]logic.Value
}

// model reads all constants at once, so that the Model outlives the check.
func (s *Solver) model(m *z3.Model) *Model {
	out := &Model{values: map[string]logic.Value{}}
	for _, d := range m.Consts() {
		t, ok := m.ConstInterp(d)
		switch {
		case !ok:
		case t.IsTrue():
			out.values[d.Name()] = logic.IntValue(1)
		case t.IsNumeral():
			if b, ok := t.BigInt(); ok {
				out.values[d.Name()] = logic.BigValue(b)
			}
		}
	}
	return out
}

// Value returns the value of a variable.
func (m *Model) Value(sym *logic.Term) logic.Value { return m.values[sym.Name()] }

// Eval computes a term in the model.
func (m *Model) Eval(t *logic.Term) logic.Value { return logic.Eval(t, m.Value) }

// Holds reports whether a formula is true in the model.
func (m *Model) Holds(f *logic.Term) bool { return m.Eval(f).Bool() }

// Core decides base together with all of lits. If they are unsatisfiable it
// returns some of lits, usually few, that are unsatisfiable with base, and true.
func (s *Solver) Core(ctx context.Context, base, lits []*logic.Term) ([]*logic.Term, bool, error) {
	start := time.Now()
	defer s.Timings.Start(timing.Solver)()
	defer func() { s.Calls++; s.Time += time.Since(start) }()
	s.Push()
	defer s.Pop()
	s.Assert(base...)
	tracks := make([]z3.Term, len(lits))
	byID := map[uint32]*logic.Term{}
	for i, lit := range lits {
		tracks[i] = s.ctx.Const(fmt.Sprintf("track!%d", i), s.ctx.BoolSort())
		byID[tracks[i].ID()] = lit
		s.s.Assert(s.ctx.Implies(tracks[i], s.tr.Term(lit)))
	}
	st, err := s.s.CheckAssumptions(ctx, tracks...)
	if err != nil || st != z3.Unsat {
		return nil, false, err
	}
	found, err := s.s.UnsatCore()
	if err != nil {
		return nil, false, err
	}
	core := []*logic.Term{}
	for _, t := range found {
		if lit := byID[t.ID()]; lit != nil {
			core = append(core, lit)
		}
	}
	return core, true, nil
}
