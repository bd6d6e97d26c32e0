// Package logic holds the formulas and terms comus reasons with.
//
// A [Term] is an immutable tree over two sorts, Bool and Int. Int is the
// mathematical integers: the C semantics of width and sign is spelled out by
// the front end (wrapping is a mod, a conversion is an ite), so that every
// layer above can reason in linear arithmetic.
//
// Terms are hash-consed by a [Store]: building the same term twice yields the
// same pointer, so equality of terms is pointer equality and a map keyed by
// *Term is a map keyed by structure. The constructors simplify as they build:
// constants are folded, sums are kept in a linear normal form, comparisons are
// normalised to "sum ≤ constant" and "sum = constant", and negations are pushed
// to the literals. What is cheap is done there once; what needs a solver is not
// done here at all.
//
// Terms of different stores must not be mixed. A Store may be used by several
// goroutines.
package logic
