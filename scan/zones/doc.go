// Package zones has relations between a few integer variables: differences that are bounded (x - y <= c, zones, as Miné 2001 and the
// difference bound matrices of timed automata), equations between any number of them (a*x + b*y + ... = c, Karr 1976), and cases: a
// variable that is only ever a few constants, a flag, tells states apart, each of which has relations of its own
// (full = 1 and box = 10, or full = 0 and box anything).
//
// A [State] stands for a set of vectors of mathematical integers: whoever computes in types of a machine has to know that nothing
// wraps around. All operations return at least the vectors that they should: what cannot be said, because a number gets too large or it would be too
// much, is left open. Equations help bounds and the other way round, where that is cheap.
//
// States are never changed; operations return others.
package zones
