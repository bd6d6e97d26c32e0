package z3

// #include "shim.h"
import "C"

import (
	"context"
	"runtime"
	"unsafe"
)

// Status is the answer to a check or query.
type Status int

// The answers. Unknown is the zero value.
const (
	Unknown Status = iota // not decided
	Sat                   // satisfiable; for a query: reachable
	Unsat                 // unsatisfiable; for a query: unreachable
)

// String returns "sat", "unsat" or "unknown".
func (s Status) String() string {
	switch s {
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	}
	return "unknown"
}

// status translates Z3's answer.
func status(r C.Z3_lbool) Status {
	switch r {
	case C.Z3_L_TRUE:
		return Sat
	case C.Z3_L_FALSE:
		return Unsat
	}
	return Unknown
}

// Solver decides whether a set of formulas is satisfiable.
type Solver struct {
	ctx *Context
	o   *object
}

// newSolver wraps a Z3 solver. The result is never nil, so that its methods
// can report what went wrong.
func (c *Context) newSolver(op string, s C.Z3_solver) *Solver {
	r := &Solver{c, c.object(op, C.COMUS_SOLVER, unsafe.Pointer(s))}
	r.SetParams(NewParams())
	return r
}

// NewSolver returns a solver that chooses its strategy by itself. It solves
// incrementally after the first Push or second check.
func (c *Context) NewSolver() *Solver {
	if !c.open() {
		return &Solver{ctx: c}
	}
	return c.newSolver("NewSolver", C.Z3_mk_solver(c.c))
}

// NewSimpleSolver returns a solver that is always incremental and does not
// preprocess by tactics. It is the best choice for many small checks.
func (c *Context) NewSimpleSolver() *Solver {
	if !c.open() {
		return &Solver{ctx: c}
	}
	return c.newSolver("NewSimpleSolver", C.Z3_mk_simple_solver(c.c))
}

// NewSolverForLogic returns a solver for an SMT-LIB logic such as "QF_LIA". An
// unknown logic is recorded as an error in the context.
func (c *Context) NewSolverForLogic(logic string) *Solver {
	if !c.open() {
		return &Solver{ctx: c}
	}
	return c.newSolver("NewSolverForLogic", C.Z3_mk_solver_for_logic(c.c, c.mkSymbol(logic)))
}

// NewSolver returns a solver that applies the tactic to solve. It is not
// incremental.
func (t *Tactic) NewSolver() *Solver {
	const op = "Tactic.NewSolver"
	if !t.ctx.use(t.o) {
		return &Solver{ctx: t.ctx}
	}
	defer runtime.KeepAlive(t.o)
	return t.ctx.newSolver(op, C.Z3_mk_solver_from_tactic(t.ctx.c, t.c()))
}

// c returns the Z3 solver.
func (s *Solver) c() C.Z3_solver { return C.Z3_solver(s.o.ptr) }

// SetParams sets parameters of the solver.
func (s *Solver) SetParams(params *Params) {
	const op = "Solver.SetParams"
	if !s.ctx.use(s.o) {
		return
	}
	c := s.ctx
	p, ok := params.build(c, op)
	if !ok {
		return
	}
	// Unlike other objects, solvers do not check parameters by themselves.
	descrs := C.Z3_solver_get_param_descrs(c.c, s.c())
	known := c.object(op, C.COMUS_PARAM_DESCRS, unsafe.Pointer(descrs))
	if known == nil {
		return
	}
	c.keepSignals(p)
	C.Z3_params_validate(c.c, C.Z3_params(p.ptr), descrs)
	if c.check(op) {
		C.Z3_solver_set_params(c.c, s.c(), C.Z3_params(p.ptr))
		c.check(op)
	}
	runtime.KeepAlive(known)
	runtime.KeepAlive(p)
	runtime.KeepAlive(s.o)
}

// Assert adds formulas.
func (s *Solver) Assert(formulas ...Term) {
	const op = "Assert"
	if !s.ctx.use(s.o) {
		return
	}
	for _, f := range formulas {
		if !s.ctx.owns(op, f.n) {
			return
		}
		C.Z3_solver_assert(s.ctx.c, s.c(), f.n.ast)
		if !s.ctx.check(op) {
			return
		}
	}
	runtime.KeepAlive(formulas)
	runtime.KeepAlive(s.o)
}

// AssertAndTrack adds a formula and a Boolean constant that stands for it in
// UnsatCore.
func (s *Solver) AssertAndTrack(formula, track Term) {
	const op = "AssertAndTrack"
	if !s.ctx.use(s.o) || !s.ctx.owns(op, formula.n) {
		return
	}
	if _, ok := s.ctx.consts(op, []Term{track}); !ok {
		return
	}
	C.Z3_solver_assert_and_track(s.ctx.c, s.c(), formula.n.ast, track.n.ast)
	s.ctx.check(op)
	runtime.KeepAlive(formula.n)
	runtime.KeepAlive(track.n)
	runtime.KeepAlive(s.o)
}

// Push opens a scope: Pop removes what has been asserted since.
func (s *Solver) Push() {
	if s.ctx.use(s.o) {
		C.Z3_solver_push(s.ctx.c, s.c())
		s.ctx.check("Push")
		runtime.KeepAlive(s.o)
	}
}

// Pop closes n scopes. It is an error if there are less.
func (s *Solver) Pop(n uint) {
	if s.ctx.use(s.o) {
		C.Z3_solver_pop(s.ctx.c, s.c(), C.uint(n))
		s.ctx.check("Pop")
		runtime.KeepAlive(s.o)
	}
}

// NumScopes returns the number of open scopes.
func (s *Solver) NumScopes() uint {
	if !s.ctx.use(s.o) {
		return 0
	}
	defer runtime.KeepAlive(s.o)
	return uint(C.Z3_solver_get_num_scopes(s.ctx.c, s.c()))
}

// Reset removes all formulas and scopes.
func (s *Solver) Reset() {
	if s.ctx.use(s.o) {
		C.Z3_solver_reset(s.ctx.c, s.c())
		s.ctx.check("Reset")
		runtime.KeepAlive(s.o)
	}
}

// Check decides whether the asserted formulas are satisfiable together.
//
// The status is Unknown if there is an error. The error is the pending error of
// the context (see Context.Err), a failure of Z3 (an *Error), or, if the call
// was interrupted, an error that wraps ctx.Err() or ErrInterrupted. Without an
// error, Unknown means that Z3 gave up or reached a limit; see ReasonUnknown.
func (s *Solver) Check(ctx context.Context) (Status, error) {
	return s.CheckAssumptions(ctx)
}

// CheckAssumptions is like Check, but assumes the given literals (Boolean
// constants or their negations) during this check. If they contradict the
// asserted formulas, UnsatCore tells which of them do.
func (s *Solver) CheckAssumptions(ctx context.Context, assumptions ...Term) (Status, error) {
	const op = "Check"
	if !s.ctx.use(s.o) || s.ctx.err != nil {
		return Unknown, s.ctx.err
	}
	asts, ok := s.ctx.args(op, assumptions)
	if !ok {
		return Unknown, s.ctx.err
	}
	var r C.Z3_lbool
	var failure error
	err := s.ctx.run(ctx, func() {
		if len(asts) == 0 {
			r = C.Z3_solver_check(s.ctx.c, s.c())
		} else {
			r = C.Z3_solver_check_assumptions(s.ctx.c, s.c(), C.uint(len(asts)), &asts[0])
		}
		failure = s.ctx.z3Error(op)
	})
	runtime.KeepAlive(assumptions)
	runtime.KeepAlive(s.o)
	if err == nil {
		err = failure
	}
	if err != nil {
		return Unknown, err
	}
	return status(r), nil
}

// UnsatCore returns assumptions and tracking constants (see AssertAndTrack)
// that suffice for the last Unsat. The core need not be minimal.
func (s *Solver) UnsatCore() ([]Term, error) {
	const op = "UnsatCore"
	if !s.ctx.use(s.o) || s.ctx.err != nil {
		return nil, s.ctx.err
	}
	defer runtime.KeepAlive(s.o)
	v := C.Z3_solver_get_unsat_core(s.ctx.c, s.c())
	if err := s.ctx.z3Error(op); err != nil {
		return nil, err
	}
	return s.ctx.vector(op, v)
}

// Model returns the model found by the last check. It is an error if there is
// none, usually because the last status was not Sat.
func (s *Solver) Model() (*Model, error) {
	const op = "Model"
	if !s.ctx.use(s.o) || s.ctx.err != nil {
		return nil, s.ctx.err
	}
	defer runtime.KeepAlive(s.o)
	m := C.Z3_solver_get_model(s.ctx.c, s.c())
	if err := s.ctx.z3Error(op); err != nil {
		return nil, err
	}
	return s.ctx.newModel(op, m)
}

// ReasonUnknown returns why the last check returned Unknown, such as "timeout".
func (s *Solver) ReasonUnknown() string {
	if !s.ctx.use(s.o) {
		return ""
	}
	defer runtime.KeepAlive(s.o)
	return C.GoString(C.Z3_solver_get_reason_unknown(s.ctx.c, s.c()))
}

// Assertions returns the asserted formulas.
func (s *Solver) Assertions() []Term {
	const op = "Assertions"
	if !s.ctx.use(s.o) {
		return nil
	}
	defer runtime.KeepAlive(s.o)
	v := C.Z3_solver_get_assertions(s.ctx.c, s.c())
	if !s.ctx.check(op) {
		return nil
	}
	terms, err := s.ctx.vector(op, v)
	if err != nil {
		return nil
	}
	return terms
}

// Statistics returns Z3's counters of the last check.
func (s *Solver) Statistics() []Stat {
	if !s.ctx.use(s.o) {
		return nil
	}
	defer runtime.KeepAlive(s.o)
	return s.ctx.stats(C.Z3_solver_get_statistics(s.ctx.c, s.c()))
}

// String returns the asserted formulas in SMT-LIB syntax.
func (s *Solver) String() string {
	if !s.ctx.use(s.o) {
		return "<invalid>"
	}
	defer runtime.KeepAlive(s.o)
	return C.GoString(C.Z3_solver_to_string(s.ctx.c, s.c()))
}
