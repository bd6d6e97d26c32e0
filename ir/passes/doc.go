// Package passes transforms programs between the front end and the engines: it
// makes them smaller without changing whether an error location can be reached.
//
// # What a pass keeps
//
// Every pass is exact in both directions: an error location is reachable after it
// if and only if one was before. A proof of safety speaks about the transformed
// program, so the passes are trusted as the front end is, and are kept simple for
// that reason. A violation is lifted back ([Result.Lift]): every edge of the
// transformed program knows the edges of the original one that it stands for, in
// the order in which they are taken without another thread between them. The
// lifted execution is replayed on the original program, whose inputs are solved
// for anew.
//
// A pass never changes the program it is given. The copy shares the store of
// terms only, has the same threads in the same order (a thread that cannot matter
// is left without edges), and satisfies [ir.Program.Check]. Locations that no edge
// leads to are removed after each pass.
//
// The passes assume what ir.Program.Check and package ir's documentation demand;
// in particular, that no edge assigns a value outside a variable's type.
//
// # The passes
//
// unroll: a loop whose number of iterations follows from constants is copied, once
// for each iteration (unroll.go).
//
// constants: variables with a known value are replaced by it, and edges whose
// assumptions are false are removed (constants.go).
//
// scalars: the choice between the cells of an array by an index dissolves
// (scalars.go).
//
// await: a loop that waits for another thread loses its back edge (await.go).
//
// slice: what the reachability of errors does not depend on is removed (slice.go).
//
// dead: assignments that nobody reads, and unused variables (dead.go).
//
// merge: steps without an effect on other threads become part of the step before
// or after (merge.go).
//
// webs: a local variable that is used for several things one after the other becomes a variable for each (webs.go). It is not run by default.
package passes
