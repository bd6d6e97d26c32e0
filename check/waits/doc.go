// Package waits finds out, of a whole program, what each thread may hold where it waits, and what it waits for. From an order of all that can be waited for, in which
// whatever is held stands before what is awaited, it follows that the program has no deadlock. The package is trusted: it is both the rule that package scan/order
// asks, to find an order, and the checker that verifies one ([Check]).
//
// # The argument
//
// A deadlock is a set of threads of which each waits, and what they wait for only they could give, or nobody could. What is waited for is an [Element]: a lock (also the
// control of a pthread_once), the end of a thread, that all threads have come to a barrier, or that a flag is set under a mutex, of which a condition variable tells. Each element that a thread of the set waits for
// has a thread that owes it:
//
//   - A lock that is waited for is held by a thread. If that one runs, it can give it by its code; if it has ended, it held no lock (a thread that may end with one is
//     no proof). So it waits, too, and is in the set.
//   - A thread that is joined and has not ended owes its own end for all of its life. If it runs, there is no deadlock: who waits for a thread that runs for ever is none. Where threads of one class join those that they have created themselves, children come after their parents.
//   - A flag is owed by the one thread that is sure to set it, from the beginning on until it has set it and told so (flags.go);
//     that of each of many objects by the thread that it was given to (instances.go).
//   - A barrier is owed by all threads that meet there, and by main until it has created them (barriers.go).
//
// Several locks may be one element, those of an array's members, say. Threads that hold some of them and wait for another one are no proof, unless they always do that in the order of
// addresses (ascending.go, distinct.go, indexed.go): then an element's locks stand in the order of their addresses.
//
// A thread that a handler of a signal interrupts is one that runs, as long as handlers end whatever others do (handlers.go).
//
// So each thread of the set waits for an element that a thread of the set owes where it waits itself. Along these the elements get later and later in the order, and as there are
// finitely many, that cannot go on for ever: there is no such set.
//
// What a thread may owe is an overapproximation at each place. What holds of a running thread is taken from its code alone: it is enough that what gives the element can still be
// reached, be it that the thread gets there or not. A thread that runs for ever is in no deadlock, and makes none: the answer takes it for granted that it gives what it may give
// by its code ([AssumeGives]), as other proofs do. Therefore each loop needs a way out by the code, and nothing has to end.
//
// # Use of locks
//
// What threads may hold, and what they surely hold (useheld.go), also shows that they use locks as POSIX demands ([FindUses]): package accesses shows the rest.
//
// All that is not understood is no proof: an error says what.
package waits
