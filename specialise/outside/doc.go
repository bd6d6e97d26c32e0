// Package outside makes a program in which code outside of it calls the functions of the program that it may call.
//
// A function without a body is an instruction to package specialise: it changes memory, and returns something. But it may also call what it
// is given, or was given before: ftw calls a function for each file, a library those that were registered with it. Which functions a call may lead to by way
// of code outside is known to package pointsto ([pointsto.Result.CalledBack]), for scans as for this package: a function with a contract calls what its contract
// says, one of which nothing is known whatever it has got to know, then or before; under --unknown-functions=pure such a function calls nothing (an
// assumption, which specialise notes).
//
// Such a call becomes one of a function made here, which before it calls (and, if it is a model, behind it) calls any of these functions, any number of
// times, with any arguments: pointers lead anywhere that the arguments lead to, to what is known outside, or outside ([cir.Reaching]); what the contract
// says of an argument is used where it is the same as a parameter. Between two of them, the function has changed what it may change. All of
// that is an approximation: whoever passes there has an execution that the program perhaps has not. Functions that are called in another thread, as by timer_create, are
// called in any number of threads, too.
//
// The program is a copy: scans, which do the same in their own way, look at the one that was read. Its instructions have the same numbers ([cir.Number]).
package outside
