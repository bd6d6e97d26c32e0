// Package scancheck verifies certificates of package scan: claims about a whole program from which it follows that locations are race-free.
//
// Which threads may be running and which locks are held it does not find out itself. What is claimed at the beginning of a block is carried through the block, instruction by instruction, and has to be
// within what is claimed at the beginning of the blocks that follow (threads.go for which threads may be running, locks.go for which locks are
// held); a call needs what is claimed of its callee's beginning, and goes on with what is claimed of its end. Then each access of each thread is looked up in
// the location's groups, whose claims have to follow from what holds there, and each pair of groups needs a reason that holds (locations.go).
// What instructions mean is said here again, plainly, and without any code of the analyses: only the program, package pointsto, the contracts of
// library functions, and the rules of check/ticket, check/counted, check/handover and check/anew are shared, which are trusted anyway.
//
// What needs no other claims than those about threads it finds out from the program: what memory belongs to one thread of many, by the number or the element that it was
// given (apart.go), what barriers order (rounds.go), flags, semaphores and pthread_once (signal.go), counters of threads (latch.go). The analysis has no rules of its own for that. It asks
// the checker ([Rules]), so what it claims there is what is confirmed.
//
// A claim about locks that cannot be confirmed is refused, and dropped: the rest is looked at without it, so that what does not rest on it
// still counts. A claim about threads that cannot be confirmed spoils all. Where the analysis is cleverer than the plain rules
// here, a location is not certified; that says nothing against it.
package scancheck
