// Package scancheck verifies certificates of package scan: claims about a whole program from which it follows that locations are race-free.
//
// It finds nothing out itself. What is claimed at the beginning of a block is carried through the block, instruction by instruction, and has to be
// within what is claimed at the beginning of the blocks that follow (threads.go for which threads may be running, locks.go for which locks are
// held); a call needs what is claimed of its callee's beginning, and goes on with what is claimed of its end. Then each access of each thread is looked up in
// the location's groups, whose claims have to follow from what holds there, and each pair of groups needs a reason that holds (locations.go).
// What instructions mean is said here again, plainly, and without any code of the analyses: only the program, package pointsto, the contracts of
// library functions, and three rules that the analysis asks, too (check/ticket, check/counted, check/anew), are shared, which are trusted anyway.
//
// A claim about locks that cannot be confirmed is refused, and dropped: the rest is looked at without it, so that what does not rest on it
// still counts. A claim about threads that cannot be confirmed spoils all. Where the analysis is cleverer than the plain rules
// here, a location is not certified; that says nothing against it.
package scancheck
