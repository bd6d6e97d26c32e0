// Package randprog makes random small multi-threaded C programs for
// differential tests: two engines that disagree on one of them have found a
// bug. A seed always gives the same program.
//
// The programs are well-defined C (no overflow, no division by zero, mutexes
// released by their owner, at most one unsequenced shared access in an
// expression) and have a small finite state space: every loop either waits
// without side effects, runs a fixed number of times, or only moves values
// around ([Servers]). About half of them violate an assertion, most of those in
// few interleavings only.
//
// [Generate] gives the text, [New] a tree that prints it. Package shrink makes a
// failing program smaller.
//
// The features [More] bring objects with statements about them, of which a program
// takes a few: see extras. Pointers are never null where they are followed, and nodes
// are freed only where everybody holds a lock.
//
// [Program.Running] is for a compiler: it tells at its end what it sees, and
// [Program.Denying] is the program that is unsafe if that is possible.
//
// [NewSequential] makes programs of one thread (or of two, one after the other) whose
// results a C compiler can tell.
package randprog
