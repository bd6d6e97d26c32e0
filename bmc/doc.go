// Package bmc is a bounded model checker for programs with one thread and without loops:
// it looks for a path to an error location by one query to the solver.
//
// The program is not split into paths. Every edge has a Boolean, whether the path takes
// it; where edges meet, a variable whose values on them differ gets a symbol, which has
// the value of the edge taken. Only what can lie on a path to an error is encoded, and
// only variables that are read later get symbols.
//
// A variable that is only ever assigned constants (the place where a thread was
// interrupted, a mutex, a flag) is not a number in the query: there is a formula for each
// of its values, and comparisons with constants become propositional. For the program
// counters of a lazy sequentialization, these formulas are the Booleans of the edges at
// which threads are interrupted.
//
// What it answers is not trusted: a path is replayed, and that there is none is proved by
// the check with an encoding of its own.
package bmc
