package z3

// #include "shim.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// Forall returns the formula that body holds for all values of the given
// constants, which are bound by the result. Without constants it is body.
func (c *Context) Forall(consts []Term, body Term) Term {
	return c.quantifier("Forall", 1, consts, body)
}

// Exists returns the formula that body holds for some values of the given
// constants, which are bound by the result. Without constants it is body.
func (c *Context) Exists(consts []Term, body Term) Term {
	return c.quantifier("Exists", 0, consts, body)
}

// quantifier builds a quantified formula.
func (c *Context) quantifier(op string, isForall C.int, consts []Term, body Term) Term {
	if !c.open() || !c.owns(op, body.n) {
		return Term{}
	}
	if len(consts) == 0 {
		return body
	}
	asts, ok := c.consts(op, consts)
	if !ok {
		return Term{}
	}
	n := c.node(op, C.comus_mk_quantifier(c.c, isForall, C.uint(len(asts)), first(asts), body.n.ast))
	runtime.KeepAlive(consts)
	runtime.KeepAlive(body.n)
	return Term{n: n}
}

// consts is like args, but accepts constants only.
func (c *Context) consts(op string, ts []Term) ([]C.Z3_ast, bool) {
	asts, ok := c.args(op, ts)
	if !ok {
		return nil, false
	}
	for _, t := range ts {
		if !t.IsConst() {
			c.invalidOperand(op, "not a constant: "+t.String())
			return nil, false
		}
	}
	return asts, true
}

// Substitute returns t with all occurrences of the terms from replaced by the
// terms to, simultaneously. Both lists must have the same length and sorts.
func (c *Context) Substitute(t Term, from, to []Term) Term {
	const op = "Substitute"
	if !c.open() || !c.owns(op, t.n) {
		return Term{}
	}
	if len(from) != len(to) {
		c.invalidOperand(op, "lists of different length")
		return Term{}
	}
	asts, ok := c.args(op, append(from[:len(from):len(from)], to...))
	if !ok {
		return Term{}
	}
	if len(from) == 0 {
		return t
	}
	n := c.node(op, C.comus_substitute(c.c, t.n.ast, C.uint(len(from)), &asts[0], &asts[len(from)]))
	runtime.KeepAlive(t.n)
	runtime.KeepAlive(from)
	runtime.KeepAlive(to)
	return Term{n: n}
}

// SubstituteVars returns t with its free bound variables replaced: the variable
// with de Bruijn index i by to[i]. Applied to the body of a quantifier, to is
// in the reverse order of Term.Bound. Variables without replacement remain.
func (c *Context) SubstituteVars(t Term, to []Term) Term {
	const op = "SubstituteVars"
	if !c.open() || !c.owns(op, t.n) {
		return Term{}
	}
	asts, ok := c.args(op, to)
	if !ok {
		return Term{}
	}
	n := c.node(op, C.comus_substitute_vars(c.c, t.n.ast, C.uint(len(asts)), first(asts)))
	runtime.KeepAlive(t.n)
	runtime.KeepAlive(to)
	return Term{n: n}
}

// Simplify returns an equivalent term that is simpler as a rule. The parameters
// are those of Z3's simplify command; nil means the defaults.
func (c *Context) Simplify(t Term, params *Params) Term {
	const op = "Simplify"
	if !c.open() || !c.owns(op, t.n) {
		return Term{}
	}
	var p unsafe.Pointer
	if params != nil {
		o, ok := params.build(c, op)
		if !ok {
			return Term{}
		}
		defer runtime.KeepAlive(o)
		p = o.ptr
	}
	n := c.node(op, C.comus_simplify(c.c, t.n.ast, p))
	runtime.KeepAlive(t.n)
	return Term{n: n}
}
