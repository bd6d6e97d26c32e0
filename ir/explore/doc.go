// Package explore decides small programs by visiting every reachable state, one
// interleaving step at a time, breadth first. It knows no reduction and no
// abstraction: it is the oracle that the other engines are tested against, so
// it is simple before it is fast.
//
// Inputs and uninitialised variables are branched over all values of their
// types. Where a type has too many, the answer is Unknown, unless the value can
// never be read (see liveness), in which case one value stands for all.
//
// The edges' terms are compiled to closures over a []int64 once. Where an
// operation leaves int64, the closures give up on that evaluation and
// [logic.Eval] does it again exactly.
package explore
