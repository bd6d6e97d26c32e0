// Package z3 is a binding of the Z3 theorem prover, by cgo to libz3. It covers
// what a verifier of C programs needs: terms over integers, bit-vectors and
// arrays, solvers, models, tactics, the fixedpoint engine Spacer, and
// projection by models. It works with Z3 4.8.12 and later.
//
// # Overview
//
// A [Context] owns everything else. It builds a [Sort], a [FuncDecl] or a
// [Term] by its methods:
//
//	c, err := z3.NewContext(nil)
//	...
//	defer c.Close()
//	x := c.Const("x", c.IntSort())
//	f := c.And(c.Gt(x, c.Int(3)), c.Lt(x, c.Int(5)))
//
// A [Solver] decides whether formulas are satisfiable, and gives a [Model] if
// they are:
//
//	s := c.NewSolver()
//	s.Assert(f)
//	status, err := s.Check(ctx) // z3.Sat
//	m, err := s.Model()
//	v, err := m.Eval(x, true)   // 4
//
// A [Fixedpoint] decides whether a program, given as Horn clauses, reaches an
// error. If so, RuleNamesAlongTrace tells the steps to it; if not, Invariants
// tells why not.
//
// # Errors
//
// Methods that build something, or have no result at all, do not return an
// error. They record the first error in the context, and from then on their
// results are zero values, which may be used freely. The error appears at the
// next method that does return an error, such as Solver.Check, or can be
// asked for by [Context.Err]. So one check at the end of a computation is
// enough, and no answer is ever given on the basis of a failed one. The
// recorded error stays until [Context.ResetErr].
//
// Failures of Z3 itself are of type [*Error]. No method panics because of Z3,
// wrong operands, or a closed context; but nil pointers in place of a Context,
// Solver and so on are programming errors.
//
// # Time limits and concurrency
//
// Methods that may take long have a context.Context as first argument. When it
// ends, Z3 is interrupted, and the result is [Unknown] with an error that wraps
// ctx.Err(); the Z3 context remains usable. Interruption is cooperative: Z3
// reacts within milliseconds as a rule, but may need seconds in some
// procedures. Independent of that, [Config] and [Params] can limit the time or
// the (reproducible) resource units of each call, and [SetMemoryLimit] the
// memory of the process.
//
// A Context and all that belongs to it must be used by one goroutine at a time,
// except for [Context.Interrupt]. Different contexts are independent.
//
// # Memory
//
// Terms and other objects are reference counted in Z3, and released some time
// after the garbage collector finds them unreachable, when the context is used
// next. Closing a context releases everything at once. Since the garbage
// collector does not see the memory of Z3, the package runs it when many terms
// have been built.
package z3
