// Package graphs runs a program in all ways that a weak memory model allows, if those are few enough: stateless model checking of execution graphs.
//
// # What is explored
//
// An execution graph ([memory.Graph]) says which atomic accesses there are, which write each read reads from, and in which order the writes of each object come. With that, every thread does
// the same: a graph stands for all executions with these edges. The models SC, TSO, PSO and RC11 allow graphs in which no cycle of program order and reads-from exists. So the accesses of a graph can be
// performed one after the other, each behind those that it reads from, by the interpreter of package interp; what other accesses there are is ordered by happens-before, or there is a data race.
//
// # How
//
// The algorithm is TruSt's (M. Kokologiannakis, I. Marmanis, V. Gladstein, V. Vafeiadis, Truly stateless, optimal dynamic partial order reduction, POPL 2022). A graph grows by the next access of a thread,
// always of the same thread in the same graph. A read is added once for each write that it may read, as far as the model allows that. A write is added once for each place in the order of writes;
// and as reads that are there already may read it as well, it is added to smaller graphs, too, in each of which one such read reads it: what came behind the read is left out, unless the write depends on
// it. That is done only if what is left out is what would have been added without the write: reads of the newest write, writes that come last. So each graph is visited once, and nothing is kept but the graphs that are still to be visited.
//
// # Blocked threads
//
// A thread that tries to take a lock that is held, that waits in a loop whose iterations change nothing but that they take a lock and give it back, or whose assumption does not hold, takes no more steps in this graph. A write that is added later may be read instead
// (then it is another graph). If threads are blocked when all others have ended, the graph is none of an execution that ends, and is not counted.
//
// # Objects of the library
//
// A lock of a mutex is a compare and exchange. So is what a semaphore, a barrier, a read-write lock, a try of a mutex, or pthread_once does in a step: of the object's state, with the order that POSIX promises (package interp). A
// wait for a condition variable may end at any time, and is no more than to give the mutex back and to take it again.
//
// # Data races
//
// Plain accesses are no events. If there is a race, the program has no meaning in C; who wants to see what it may do on a machine has plain accesses of some objects taken for relaxed ones ([Options].Racy).
//
// # What it says
//
// All graphs were visited if no limit was met, and nothing happened that is not known to come in the same way whatever the order of threads: other atomic sections than those of locks and threads, data races, memory that is
// accessed by atomic and other accesses in pieces. Inputs of one bit have both values; others are 0, as is noted.
package graphs
