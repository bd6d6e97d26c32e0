// Package affine computes linear equalities between the arguments of relations that
// constrained Horn clauses define: Karr's analysis (M. Karr, Affine relationships among
// variables of a program, 1976; M. Müller-Olm and H. Seidl, A note on Karr's algorithm, 2004).
//
// What is known of a relation is a set of equalities, that is an affine space of tuples ([Space]):
// the smallest that is found to have all tuples that clauses put into the relation. A clause is
// applied by meeting the spaces of its body with the equalities among its conditions, projecting
// to the head's arguments, and joining with what is there: the smallest space that has both. Each
// change adds a dimension, so there are few, and nothing has to be guessed: x = ended and
// made = before + inside + ended come out of what each step of a thread adds to which counter.
//
// Integers are not bounded here. A sum that wraps around is taken for one that does not, so the
// result is a claim that holds if no sum does; it is for others to prove it, with bounds beside.
// All other terms that are not linear are any values. Coefficients that get too large are given up
// with their equality, which is less known, nothing wrong.
package affine
