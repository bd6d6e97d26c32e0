package z3

// #include "shim.h"
import "C"

import (
	"context"
	"runtime"
	"time"
	"unsafe"
)

// Tactic transforms a goal into subgoals.
type Tactic struct {
	ctx *Context
	o   *object
}

// newTactic wraps a Z3 tactic. The result is never nil, so that its methods
// can report what went wrong.
func (c *Context) newTactic(op string, t C.Z3_tactic) *Tactic {
	return &Tactic{c, c.object(op, C.COMUS_TACTIC, unsafe.Pointer(t))}
}

// NewTactic returns the tactic with the given name, such as "simplify". An
// unknown name is recorded as an error in the context.
func (c *Context) NewTactic(name string) *Tactic {
	if !c.open() {
		return &Tactic{ctx: c}
	}
	return c.newTactic("NewTactic", withCString(name, func(s *C.char) C.Z3_tactic {
		return C.Z3_mk_tactic(c.c, s)
	}))
}

// c returns the Z3 tactic.
func (t *Tactic) c() C.Z3_tactic { return C.Z3_tactic(t.o.ptr) }

// combine builds a tactic from two others.
func (t *Tactic) combine(op string, u *Tactic, f func() C.Z3_tactic) *Tactic {
	if !t.ctx.use(t.o) || !t.ctx.ownsTactic(op, u) {
		return &Tactic{ctx: t.ctx}
	}
	r := t.ctx.newTactic(op, f())
	runtime.KeepAlive(t.o)
	runtime.KeepAlive(u.o)
	return r
}

// ownsTactic reports whether the tactic is a usable one of this context,
// recording an error for op if it is not.
func (c *Context) ownsTactic(op string, t *Tactic) bool {
	if t == nil || t.o == nil || t.ctx != c {
		c.invalidOperand(op, "invalid tactic")
		return false
	}
	return true
}

// AndThen returns the tactic that applies t, and u to the resulting subgoals.
func (t *Tactic) AndThen(u *Tactic) *Tactic {
	return t.combine("AndThen", u, func() C.Z3_tactic {
		return C.Z3_tactic_and_then(t.ctx.c, t.c(), u.c())
	})
}

// OrElse returns the tactic that applies t, or u if t fails.
func (t *Tactic) OrElse(u *Tactic) *Tactic {
	return t.combine("OrElse", u, func() C.Z3_tactic {
		return C.Z3_tactic_or_else(t.ctx.c, t.c(), u.c())
	})
}

// TryFor returns the tactic that applies t and fails if it takes longer than
// d, rounded up to milliseconds.
func (t *Tactic) TryFor(d time.Duration) *Tactic {
	return t.combine("TryFor", t, func() C.Z3_tactic {
		return C.Z3_tactic_try_for(t.ctx.c, t.c(), C.uint(milliseconds(d)))
	})
}

// With returns the tactic that applies t with the given parameters.
func (t *Tactic) With(params *Params) *Tactic {
	const op = "With"
	if !t.ctx.use(t.o) {
		return &Tactic{ctx: t.ctx}
	}
	p, ok := params.build(t.ctx, op)
	if !ok {
		return &Tactic{ctx: t.ctx}
	}
	r := t.ctx.newTactic(op, C.Z3_tactic_using_params(t.ctx.c, t.c(), C.Z3_params(p.ptr)))
	runtime.KeepAlive(p)
	runtime.KeepAlive(t.o)
	return r
}

// Apply applies the tactic to a goal and returns the subgoals: the goal is
// satisfiable if and only if one of them is, for the tactics that keep models.
// It is an error if the tactic fails. See Solver.Check about errors.
func (t *Tactic) Apply(ctx context.Context, g *Goal) ([]*Goal, error) {
	const op = "Tactic.Apply"
	c := t.ctx
	if !t.ctx.use(t.o) || c.err != nil {
		return nil, c.err
	}
	if g == nil || g.o == nil || g.ctx != c {
		c.invalidOperand(op, "invalid goal")
		return nil, c.err
	}
	var r C.Z3_apply_result
	var failure error
	var result *object
	err := c.run(ctx, func() {
		r = C.Z3_tactic_apply(c.c, t.c(), g.c())
		if failure = c.z3Error(op); failure == nil {
			result = c.object(op, C.COMUS_APPLY_RESULT, unsafe.Pointer(r))
		}
	})
	runtime.KeepAlive(t.o)
	runtime.KeepAlive(g.o)
	if err == nil {
		err = failure
	}
	if err != nil {
		return nil, err
	}
	if result == nil {
		return nil, c.err
	}
	goals := make([]*Goal, C.Z3_apply_result_get_num_subgoals(c.c, r))
	for i := range goals {
		goals[i] = c.newGoal(op, C.Z3_apply_result_get_subgoal(c.c, r, C.uint(i)))
	}
	runtime.KeepAlive(result)
	return goals, c.err
}

// Goal is a set of formulas that tactics work on.
type Goal struct {
	ctx *Context
	o   *object
}

// newGoal wraps a Z3 goal.
func (c *Context) newGoal(op string, g C.Z3_goal) *Goal {
	return &Goal{c, c.object(op, C.COMUS_GOAL, unsafe.Pointer(g))}
}

// NewGoal returns a goal with the given formulas.
func (c *Context) NewGoal(formulas ...Term) *Goal {
	if !c.open() {
		return &Goal{ctx: c}
	}
	g := c.newGoal("NewGoal", C.Z3_mk_goal(c.c, true, false, false))
	g.Assert(formulas...)
	return g
}

// c returns the Z3 goal.
func (g *Goal) c() C.Z3_goal { return C.Z3_goal(g.o.ptr) }

// Assert adds formulas to the goal.
func (g *Goal) Assert(formulas ...Term) {
	const op = "Goal.Assert"
	if !g.ctx.use(g.o) {
		return
	}
	for _, f := range formulas {
		if !g.ctx.owns(op, f.n) {
			return
		}
		C.Z3_goal_assert(g.ctx.c, g.c(), f.n.ast)
		if !g.ctx.check(op) {
			return
		}
	}
	runtime.KeepAlive(formulas)
	runtime.KeepAlive(g.o)
}

// Formulas returns the formulas of the goal, which is their conjunction.
func (g *Goal) Formulas() []Term {
	const op = "Goal.Formulas"
	if !g.ctx.use(g.o) {
		return nil
	}
	c := g.ctx
	terms := make([]Term, C.Z3_goal_size(c.c, g.c()))
	for i := range terms {
		ast := C.comus_take(c.c, C.Z3_goal_formula(c.c, g.c(), C.uint(i)))
		terms[i] = Term{n: c.node(op, ast)}
	}
	runtime.KeepAlive(g.o)
	return terms
}

// IsDecidedSat reports whether the goal is empty, and thus satisfiable.
func (g *Goal) IsDecidedSat() bool {
	if !g.ctx.use(g.o) {
		return false
	}
	defer runtime.KeepAlive(g.o)
	return bool(C.Z3_goal_is_decided_sat(g.ctx.c, g.c()))
}

// IsDecidedUnsat reports whether the goal contains false.
func (g *Goal) IsDecidedUnsat() bool {
	if !g.ctx.use(g.o) {
		return false
	}
	defer runtime.KeepAlive(g.o)
	return bool(C.Z3_goal_is_decided_unsat(g.ctx.c, g.c()))
}

// String returns the goal as text.
func (g *Goal) String() string {
	if !g.ctx.use(g.o) {
		return "<invalid>"
	}
	defer runtime.KeepAlive(g.o)
	return C.GoString(C.Z3_goal_to_string(g.ctx.c, g.c()))
}
