// Package values finds out what integers and pointers may be in a whole cir.Program, and what of it is never reached: it interprets the
// program with sets of values instead of values (Cousot and Cousot 1977), thread by thread (Miné 2012).
//
// A thread knows at each place what its registers hold, and the cells of memory that only it accesses; branches
// narrow that down. A set of values is a few numbers, or those between two bounds that have the same
// remainder; pointers are numbers, too: null, or not. What threads share is a cell for the whole program that only grows: what may be found there is all that
// anybody writes while there may be other threads, and what was there when the first one of these began. As long as there is one thread, it follows
// all memory step by step; places before and after are kept apart, so that the initialisation of a program is not mixed up with the rest.
//
// Where assertions depend on several variables at once, relations of these are followed, too (package zones): of what a thread has for itself, and of what a
// lock guards, which is found as somebody left it who gave the lock back, as Miné 2012 has it for each mutex.
//
// Of the strings that the library is given, it is followed how long they are (strings.go), if the program asks for the length of any.
//
// Functions are analysed for each chain of calls that leads to them, until that is too much; from then on once for all calls, of which
// each gets back what it knew of the cells that the function cannot change.
//
// Executions in which something undefined happens are none of the program's: an access of memory is within its object, signed numbers do not overflow (but see
// [Options]). Memory that is not initialised may hold anything. What package pointsto assumes of functions without a body is assumed here, too.
package values
