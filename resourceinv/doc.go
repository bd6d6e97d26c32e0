// Package resourceinv proves programs by invariants over few variables: modular in data as in threads.
//
// # The idea
//
// What threads share falls into resources: sets of variables that belong together, a queue and its length say, which mostly have a
// lock of their own. Owicki and Gries (1976) prove programs with an invariant for each resource, which holds whenever nobody is
// at work on it: who enters the critical section finds it true, and has to leave it true. In between, what a
// thread knows is what a sequential program would: nobody else is there. So there is
//
//   - for each resource R a relation R(x, y, …) over its variables alone, and
//   - for each thread t and node n (see package cutpoints: between its nodes it runs alone) a relation T(l, …) over its
//     local variables and those shared ones that nobody else changes while t is there.
//
// The clauses, for a block of t from n to m: T at n, and the resources in order that the block has to do with, give T at m; and they
// give R for each resource that the block changes. Steps of other threads are in no clause: they
// keep the resources, and change nothing else that T speaks about. So a pipeline of k stages costs k small problems, where
// relations over all shared variables (package threadmodular) cost more with each stage.
//
// # Which resources, and when they are in order
//
// Small ones are tried first (Prove): each variable alone; then those that a block uses together, which may overlap ("in, count
// and one cell of the buffer", for each cell); then all that are connected in this way.
//
// A block that takes a lock and gives it back leaves its resources in order, and they need not even have a lock: an atomic step does as well.
// If there are cut-points inside of a critical section, or if thread 0 sets things up before it creates the
// others, the resource is out of order there, and nobody may rely on it: see protection and system.order.
// Nothing depends on the kinds of edges: that a lock is held is read off the values of its variable. What is used like a lock,
// a semaphore or an atomic flag, has been given an owner before (ir.Program.Owned).
//
// Where no lock guards a variable, only a thread's place may tell what is in it: its turn, or something that was announced. Threads
// then watch such variables: see watch.go.
//
// # How the clauses are solved
//
// First by guesses (guess.go, ranges.go): conditions of the program, asked of other variables, and intervals under conditions, by a
// plain solver, whose calls grow with the threads and not faster. That is enough for most programs. Then by Spacer.
//
// # Arrays
//
// A program may have one cell of each array, at an index k that may be any ([ir.Program.Cells]). Then R(k, a, …) holds for every k, and where a block reads
// the cell at i it uses R a second time, with i for k: see withCopies. So the size of arrays does not matter.
//
// What guesses find holds even where it is no proof: the modular algorithm begins with it (Seeds).
//
// # What is trusted
//
// Nothing. A thread's invariant at a node is T together with the resources that the thread uses, or has the
// locks of, if they are in order. Package check proves it as one of any number of threads, of size 1 (check.Parametric).
package resourceinv
