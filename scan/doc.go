// Package scan analyses whole programs for data races without unrolling or inlining anything: what
// most accesses have in common (a lock, a time when there is only one thread, an object that only one thread knows) is found
// cheaply, thread by thread, and what is left are suspects, pairs of accesses, each a small question for
// the precise engines. It is modular verification with the plainest of abstractions: a thread is analysed alone, and all it
// learns of the others is what they may access, which locks they hold there, and when they live.
//
// [Analyse] puts it together from packages below it: points (what pointers may point to), thread (which threads there are, and
// which of them live when an access is made), symbol and lockset (which locks are held there, named
// relative to what is accessed: p->lock protects p->data), fresh (what only one thread knows yet) and race (which pairs of accesses are left).
//
// What it says is a claim, which package comus does not call SAFE as it is: a location is free of races if the analysis is right
// about each pair of accesses, under the assumptions that the result lists.
package scan
