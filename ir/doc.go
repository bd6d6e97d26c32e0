// Package ir is comus's intermediate representation: a fixed number of threads,
// each a control-flow graph, over integer variables.
//
// # States and steps
//
// A state gives every thread a location and every variable a value. Threads
// interleave: one edge of one thread is one step, taken as a whole. An edge
// carries a list of commands run in order: assume a condition, assign a term to
// a variable, or havoc a variable (give it any value of its type). The edge can
// be taken when all its assumptions hold on the way; a thread whose edges all
// cannot be taken waits. There is no other blocking: a lock is an edge that
// assumes the mutex to be free and takes it.
//
// A step touches at most one shared location of memory (an array with a
// variable index is one location: the edge tests the index and reads or writes
// one cell), so that x++ on a shared x is a read and then a write. Longer
// atomic sequences are spelled out with [Loc.Atomic]: while a thread is at an
// atomic location, no other thread takes a step.
//
// # Values
//
// Variables hold integers within the range of their [Type]; expressions are
// terms of package logic over mathematical integers. The front end spells out
// what C does beyond that: a wrapping addition is written with a mod or an ite,
// an addition whose overflow is undefined is followed by an assumption that it
// did not overflow (and [Program.Assumptions] says so). Arrays and structs are
// taken apart into scalar variables, a variable index into a case split.
//
// # Errors and ends
//
// A location with [Loc.Error] is a violated assertion: a program is safe when
// no thread can reach one. A thread that has returned stays at a location
// without edges; so does one that called exit or abort, because stopping the
// whole program there reaches no error that is not reached without stopping.
// For reports, an error knows the calls that led to it ([Frame]).
//
// Threads are static: each call of pthread_create, after inlining and
// unrolling, has a thread of its own, whose first edge waits for its
// "created" variable to become 1.
package ir
