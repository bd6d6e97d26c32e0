package z3

// #include "shim.h"
import "C"

import (
	"fmt"
	"math/big"
	"runtime"
)

// unary builds an application of a unary operator.
func (c *Context) unary(name string, op C.int, a Term) Term {
	if !c.open() || !c.owns(name, a.n) {
		return Term{}
	}
	n := c.node(name, C.comus_mk_unary(c.c, op, a.n.ast))
	runtime.KeepAlive(a.n)
	return Term{n: n}
}

// binary builds an application of a binary operator.
func (c *Context) binary(name string, op C.int, a, b Term) Term {
	if !c.open() || !c.owns(name, a.n) || !c.owns(name, b.n) {
		return Term{}
	}
	n := c.node(name, C.comus_mk_binary(c.c, op, a.n.ast, b.n.ast))
	runtime.KeepAlive(a.n)
	runtime.KeepAlive(b.n)
	return Term{n: n}
}

// nary builds an application of an operator that takes any number of
// arguments.
func (c *Context) nary(name string, op C.int, ts []Term) Term {
	if !c.open() {
		return Term{}
	}
	asts, ok := c.args(name, ts)
	if !ok {
		return Term{}
	}
	n := c.node(name, C.comus_mk_nary(c.c, op, C.uint(len(asts)), first(asts)))
	runtime.KeepAlive(ts)
	return Term{n: n}
}

// arith builds an application of an arithmetical operator, which needs an
// argument at least.
func (c *Context) arith(name string, op C.int, ts []Term) Term {
	if len(ts) == 0 {
		c.invalidOperand(name, "no operands")
		return Term{}
	}
	return c.nary(name, op, ts)
}

// Const returns the constant (in the sense of logic: the variable) of the
// given name and sort. The same name and sort give the same constant.
func (c *Context) Const(name string, sort Sort) Term {
	const op = "Const"
	if !c.open() || !c.owns(op, sort.n) {
		return Term{}
	}
	ast := withCString(name, func(s *C.char) C.Z3_ast {
		return C.comus_mk_const(c.c, s, sort.n.ast)
	})
	runtime.KeepAlive(sort.n)
	return Term{n: c.node(op, ast)}
}

// FreshConst returns a constant that differs from all others. Its name starts
// with prefix.
func (c *Context) FreshConst(prefix string, sort Sort) Term {
	const op = "FreshConst"
	if !c.open() || !c.owns(op, sort.n) {
		return Term{}
	}
	ast := withCString(prefix, func(s *C.char) C.Z3_ast {
		return C.comus_mk_fresh_const(c.c, s, sort.n.ast)
	})
	runtime.KeepAlive(sort.n)
	return Term{n: c.node(op, ast)}
}

// True returns the formula true.
func (c *Context) True() Term { return c.Bool(true) }

// False returns the formula false.
func (c *Context) False() Term { return c.Bool(false) }

// Bool returns the formula true or false.
func (c *Context) Bool(value bool) Term {
	if !c.open() {
		return Term{}
	}
	v := C.int(0)
	if value {
		v = 1
	}
	return Term{n: c.node("Bool", C.comus_mk_bool(c.c, v))}
}

// Int returns an integer numeral.
func (c *Context) Int(value int64) Term {
	if !c.open() {
		return Term{}
	}
	return Term{n: c.node("Int", C.comus_mk_int64(c.c, C.int64_t(value), c.intSort.ast))}
}

// BigInt returns an integer numeral.
func (c *Context) BigInt(value *big.Int) Term {
	if value == nil {
		c.invalidOperand("BigInt", "nil *big.Int")
		return Term{}
	}
	if !c.open() {
		return Term{}
	}
	if value.IsInt64() {
		return c.Int(value.Int64())
	}
	return c.numeral("BigInt", value, c.intSort)
}

// IntString returns an integer numeral given in decimal notation with an
// optional sign. Other text is recorded as an error in the context.
func (c *Context) IntString(decimal string) Term {
	value, ok := new(big.Int).SetString(decimal, 10)
	if !ok {
		c.fail(fmt.Errorf("z3: IntString: %q is not a decimal integer", decimal))
		return Term{}
	}
	return c.BigInt(value)
}

// numeral builds a numeral of the given sort.
func (c *Context) numeral(op string, value *big.Int, sort *node) Term {
	ast := withCString(value.String(), func(s *C.char) C.Z3_ast {
		return C.comus_mk_numeral(c.c, s, sort.ast)
	})
	runtime.KeepAlive(sort)
	return Term{n: c.node(op, ast)}
}

// Not returns the negation of a formula.
func (c *Context) Not(a Term) Term { return c.unary("Not", C.COMUS_NOT, a) }

// And returns the conjunction of formulas, which is true if there are none.
func (c *Context) And(ts ...Term) Term { return c.nary("And", C.COMUS_AND, ts) }

// Or returns the disjunction of formulas, which is false if there are none.
func (c *Context) Or(ts ...Term) Term { return c.nary("Or", C.COMUS_OR, ts) }

// Implies returns the implication from a to b.
func (c *Context) Implies(a, b Term) Term { return c.binary("Implies", C.COMUS_IMPLIES, a, b) }

// Iff returns the equivalence of two formulas. Z3 represents it by OpEq.
func (c *Context) Iff(a, b Term) Term { return c.binary("Iff", C.COMUS_IFF, a, b) }

// Xor returns the exclusive disjunction of two formulas.
func (c *Context) Xor(a, b Term) Term { return c.binary("Xor", C.COMUS_XOR, a, b) }

// Ite returns the term that equals a if cond holds, and b otherwise.
func (c *Context) Ite(cond, a, b Term) Term {
	const op = "Ite"
	if !c.open() || !c.owns(op, cond.n) || !c.owns(op, a.n) || !c.owns(op, b.n) {
		return Term{}
	}
	n := c.node(op, C.comus_mk_ite(c.c, cond.n.ast, a.n.ast, b.n.ast))
	runtime.KeepAlive(cond.n)
	runtime.KeepAlive(a.n)
	runtime.KeepAlive(b.n)
	return Term{n: n}
}

// Eq returns the formula that a equals b.
func (c *Context) Eq(a, b Term) Term { return c.binary("Eq", C.COMUS_EQ, a, b) }

// Distinct returns the formula that the terms are pairwise different, which is
// true for less than two terms.
func (c *Context) Distinct(ts ...Term) Term {
	if len(ts) < 2 {
		return c.True()
	}
	return c.nary("Distinct", C.COMUS_DISTINCT, ts)
}

// Add returns the sum of one or more integers.
func (c *Context) Add(ts ...Term) Term { return c.arith("Add", C.COMUS_ADD, ts) }

// Sub returns the first integer minus all others.
func (c *Context) Sub(ts ...Term) Term { return c.arith("Sub", C.COMUS_SUB, ts) }

// Mul returns the product of one or more integers.
func (c *Context) Mul(ts ...Term) Term { return c.arith("Mul", C.COMUS_MUL, ts) }

// Neg returns the integer -a.
func (c *Context) Neg(a Term) Term { return c.unary("Neg", C.COMUS_NEG, a) }

// Div returns the quotient of integers as SMT-LIB defines it: it is rounded
// such that the remainder is not negative. That is not the division of C.
// Division by zero gives an unspecified value.
func (c *Context) Div(a, b Term) Term { return c.binary("Div", C.COMUS_DIV, a, b) }

// Mod returns the remainder of Div, which is never negative.
func (c *Context) Mod(a, b Term) Term { return c.binary("Mod", C.COMUS_MOD, a, b) }

// Rem returns the remainder of integers with the sign of the divisor: it is
// Mod(a, b) for b >= 0 and -Mod(a, b) otherwise.
func (c *Context) Rem(a, b Term) Term { return c.binary("Rem", C.COMUS_REM, a, b) }

// Le returns the formula a <= b on integers.
func (c *Context) Le(a, b Term) Term { return c.binary("Le", C.COMUS_LE, a, b) }

// Lt returns the formula a < b on integers.
func (c *Context) Lt(a, b Term) Term { return c.binary("Lt", C.COMUS_LT, a, b) }

// Ge returns the formula a >= b on integers.
func (c *Context) Ge(a, b Term) Term { return c.binary("Ge", C.COMUS_GE, a, b) }

// Gt returns the formula a > b on integers.
func (c *Context) Gt(a, b Term) Term { return c.binary("Gt", C.COMUS_GT, a, b) }

// Select returns the element of an array at an index.
func (c *Context) Select(array, index Term) Term {
	return c.binary("Select", C.COMUS_SELECT, array, index)
}

// Store returns the array that equals array except for value at index.
func (c *Context) Store(array, index, value Term) Term {
	const op = "Store"
	if !c.open() || !c.owns(op, array.n) || !c.owns(op, index.n) || !c.owns(op, value.n) {
		return Term{}
	}
	n := c.node(op, C.comus_mk_store(c.c, array.n.ast, index.n.ast, value.n.ast))
	runtime.KeepAlive(array.n)
	runtime.KeepAlive(index.n)
	runtime.KeepAlive(value.n)
	return Term{n: n}
}

// ConstArray returns the array with indices of sort domain that has value
// everywhere.
func (c *Context) ConstArray(domain Sort, value Term) Term {
	const op = "ConstArray"
	if !c.open() || !c.owns(op, domain.n) || !c.owns(op, value.n) {
		return Term{}
	}
	n := c.node(op, C.comus_mk_const_array(c.c, domain.n.ast, value.n.ast))
	runtime.KeepAlive(domain.n)
	runtime.KeepAlive(value.n)
	return Term{n: n}
}
