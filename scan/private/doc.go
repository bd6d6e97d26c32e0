// Package private tells which accesses go to memory that is private to one thread of many: it belongs to that thread, by what it was given when it was created: a number that no other
// one has, the address of its element of an array, or that of an object that was allocated for it.
//
// Threads that are created in turns of a loop, at most one in each turn, have arguments that are made of the number by which the loop counts. It is
// another one in each turn ([loop.Loop.Exact]); as long as a value is only converted to types that keep as many bits as the number has, and moved by
// constants, so is that. A thread's element of an array, at base + number*stride, is another one than those of others, if what is accessed of it is within
// one stride. The base has to be the same for all: the address of a global, what a global holds that nobody writes while one of the threads may be
// running (who asks has to make sure of that, by [Piece.Cell]), or what the creating function held since before the loop. Only threads of one run of the loop
// may live at the same time ([thread.Result.Turns]). The creating thread may access the element itself, in the same turn, before it creates the thread.
//
// The loop may call a function that creates the thread of the turn (via.go).
//
// Who created threads and joins one may access what was that thread's, where it can be seen which thread it was (joined.go).
//
// Numbers that threads draw from a counter which only grows are different, too: elements at such a number, or in the row of that number, belong to who has drawn it (draw.go; the rule is package check/ticket).
//
// Functions are called with what belongs to the thread, and with other things. What an object's accesses have to do with is only the calls that may give the function that object; a thread that never does so
// makes none of them ([Result.Absent]). So a helper that all threads call is told apart by who calls it with what, without a copy of it for each call (within.go).
//
// What threads find in their elements may be their numbers (stamp.go): elements at such a number, and those of a band, are as if they were drawn. And only one thread has a certain number ([Result.Lead]).
//
// An object that is allocated between any two creations by a call, and given to the thread, is that thread's: two such threads never have the same one. That needs no loop.
// The creating thread may access it before it gives it to the thread; it may have stored it in memory meanwhile (stored.go). The call may be one of a function of the program that returns a new object each time (package check/anew).
//
// What of a function's parameters is the thread's argument is found out along the thread's calls: it has to be so in all of them. So it is with what the creating thread
// gives to functions before the creation, or after the join, and with objects that only an element leads to: they belong to whom it does (borrowed.go).
package private
