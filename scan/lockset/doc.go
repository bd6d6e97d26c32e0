// Package lockset finds the locks that a thread holds in any case where it accesses memory, named so that two accesses of what
// may be the same memory can be seen to hold the same lock.
//
// A lock is known by its address, a [valuenum.Value]: p+8, where p is what a parameter or a register holds. Along the control flow of
// a function a set of such names is kept, of what is held on all paths; where flows meet, it is what both have. A function is
// analysed for each set that it is called with, said in terms of its parameters ([Activation]), and what it holds when
// it returns is said in terms of parameters and result, so that wrappers of locks need no care. Of locks that a function has no
// name for it is known only whether it may give them back. Results are followed: a lock that was tried is held where the result is 0, be
// it through variables or through a function that returns 1 then.
//
// Branches that depend on what the thread has put into variables of its own, and that are decided by that, are not followed (deadbranches.go).
//
// What it rests on: the functions of the library by name (ops.go); that what package pointsto says may point to different places
// does; and that a lock is given back by who holds it, which is an assumption that is listed. A lock that is written to
// in other ways protects nothing: all these writes are listed ([Spoil]), but for those before there is a second thread, and to objects
// that no other thread knows yet (package escape); whoever knows how threads are ordered may find more of them harmless. Code outside of the
// program may call whatever it knows of the program with each call, and give back the locks that it is given the addresses of.
//
// # How to use the result
//
// Result.Root(i) is the activation that the threads of pointsto.Result.Roots[i] begin with, Result.Reach all that these may run,
// [Activation.EachCall] the edges between them; two roots may share activations. Result.Each gives the instructions of one with
// what is held there. A call of a function of the library is one such [Point]: what is held at the call is held at all accesses
// that its copy in package pointsto makes.
//
// To compare two accesses, take Held(address operand, size) of both. They exclude each other if there is a lock in each with a common
// [Key], not both for [Reading], without Spoils that matter, and the key says enough: an Absolute one always does; an
// Address one if the two accesses, whenever they overlap, begin at the same address (the same member, of scalars, say, and not bytes of a
// memcpy); an Object one if they overlap only where they access the same object, which is always, unless one of the two gets out
// of its bounds; an Element one always does, too: each access stays in the element of an array that its lock is in (element.go). [Common] does that.
package lockset
