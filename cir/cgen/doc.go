// Package cgen prints a [cir.Program] as C for gcc on x86-64 that does exactly what cir says.
//
// # How it looks
//
// A function is its blocks, with labels and gotos; registers are C variables, the values of a block's
// parameters are assigned before the jump. Memory is accessed through types that may alias anything and
// need no alignment, so that an access has the bytes that cir says; bit-fields are shifts and
// masks. Objects are declared with the type that their shape tells, for the debugger; nothing rests on it.
// Structs are passed and returned by address, and the callee copies: all calls are ours. Variable arguments
// are C's own. Static data is written by a function that the runtime calls at the beginning, and for each thread.
//
// Functions have the names of the source for the debugger, and others for the linker, so that
// a program may define "write" without changing the C library; #line brings back the user's lines. The models of the library
// are a file of their own, to be compiled without debugging information: a debugger steps over them.
//
// # The runtime
//
// Intrinsics are calls of functions in the folder runtime: comus_cir.c has those about memory and text;
// those about threads are what runs the program: comus_alone.c for one thread, package replay for many.
// Functions without a body are the real C library's.
//
// The program is meant to be compiled with [Flags]: arithmetic wraps around, nothing is optimised.
package cgen
