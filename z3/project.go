package z3

// #include "shim.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime"
)

// ErrNotProjected is wrapped by the error of a projection whose result still
// contains variables that were to be eliminated.
var ErrNotProjected = errors.New("z3: projection incomplete")

// ModelProject eliminates constants from a formula by means of a model: the
// result P does not contain vars, it holds in the model, and it implies that
// values for vars exist such that body holds. In general it is stronger than
// Exists(vars, body). It can be stopped by Interrupt.
//
// The error is the pending error of the context, a failure of Z3, or wraps
// ErrInvalidOperand, if body does not evaluate to true in the model (which is
// the case for most quantified formulas), or ErrNotProjected, if Z3 could not
// eliminate all of vars; then the partial result is returned as well.
func (c *Context) ModelProject(m *Model, vars []Term, body Term) (Term, error) {
	const op = "ModelProject"
	if m == nil || m.ctx != c {
		return Term{}, fmt.Errorf("%w: %s: invalid model", ErrInvalidOperand, op)
	}
	if !c.use(m.o) || c.err != nil || !c.owns(op, body.n) {
		return Term{}, c.err
	}
	// Z3 may not terminate if the model does not satisfy the formula.
	value, err := m.Eval(body, true)
	if err != nil {
		return Term{}, err
	}
	if !value.IsTrue() {
		return Term{}, fmt.Errorf("%w: %s: the formula is not true in the model, but %v", ErrInvalidOperand, op, value)
	}
	asts, ok := c.consts(op, vars)
	if !ok {
		return Term{}, c.err
	}
	defer runtime.KeepAlive(m.o)
	return c.project(op, vars, body, func() C.Z3_ast {
		return C.comus_model_project(c.c, m.o.ptr, C.uint(len(asts)), first(asts), body.n.ast)
	})
}

// QELite eliminates constants from a formula as far as that is cheap: the
// result is equivalent to Exists(vars, body). Unlike Z3's function of that
// name it gives an error that wraps ErrNotProjected if vars remain; then the
// partial result is returned as well.
func (c *Context) QELite(vars []Term, body Term) (Term, error) {
	const op = "QELite"
	if !c.open() || c.err != nil || !c.owns(op, body.n) {
		return Term{}, c.err
	}
	if _, ok := c.consts(op, vars); !ok {
		return Term{}, c.err
	}
	v := c.newVector(op, vars)
	if v == nil {
		return Term{}, c.err
	}
	defer runtime.KeepAlive(v)
	return c.project(op, vars, body, func() C.Z3_ast {
		return C.comus_qe_lite(c.c, v.ptr, body.n.ast)
	})
}

// project runs an elimination and checks that none of vars remains.
func (c *Context) project(op string, vars []Term, body Term, f func() C.Z3_ast) (Term, error) {
	var result Term
	var failure error
	err := c.run(context.Background(), func() { result, failure = c.term(op, f()) })
	runtime.KeepAlive(vars)
	runtime.KeepAlive(body.n)
	if err == nil {
		err = failure
	}
	if err != nil {
		return Term{}, err
	}
	if left, found := result.containsAny(vars); found {
		return result, fmt.Errorf("%w: %s: %v remains", ErrNotProjected, op, left)
	}
	return result, nil
}

// containsAny looks for one of the given terms in t and returns it.
func (t Term) containsAny(terms []Term) (Term, bool) {
	wanted := make(map[uint32]bool, len(terms))
	for _, u := range terms {
		wanted[u.ID()] = true
	}
	return t.find(func(u Term) bool { return wanted[u.ID()] })
}

// find returns a subterm that satisfies the predicate, which is called once for
// each distinct subterm until it is found.
func (t Term) find(match func(Term) bool) (Term, bool) {
	seen := make(map[uint32]bool)
	stack := []Term{t}
	for len(stack) > 0 {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[u.ID()] {
			continue
		}
		seen[u.ID()] = true
		if match(u) {
			return u, true
		}
		if u.Kind() == KindQuantifier {
			stack = append(stack, u.Body())
		}
		stack = append(stack, u.Args()...)
	}
	return Term{}, false
}
