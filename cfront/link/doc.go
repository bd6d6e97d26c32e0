// Package link joins translation units to a whole program, as a linker does.
//
// # Names
//
// What is internal to a unit stays apart: "file.c:x". Of what has external linkage, all units'
// declarations become one object or function: that of the definition. There may be one; two are an error
// that names both places. A weak one gives way to another one, and so do tentative definitions (int x;
// without extern or a value), of which several are one, as with gcc's -fcommon. An inline definition, of which C says that
// it is none for other units, stands in where there is no other one.
//
// # Libraries
//
// Units marked Library are models of library functions. They are linked as an archive is:
// function by function, if something that is linked needs it and the program does not
// define it itself. Which ones would be needed, [Undefined] says beforehand. Functions of the library call one another, whatever the program
// calls so, but for those that allocate, as in glibc: a program's own strlen is not what strcpy calls.
//
// # Functions with a meaning of their own
//
// Calls of some functions are instructions: the intrinsics of comus.h, the inputs and errors of verification
// tasks (__VERIFIER_nondet_int, reach_error, __assert_fail, …: special.go), if the program does not define
// them. Errors and assume_abort_if_not are meant even if it does.
//
// # What is left over
//
// A function that nobody defines has a contract, if the caller says so, or is unknown: its calls may change
// whatever memory they can reach (Options.Unknown), and an Assumption stands before them. An object
// that nobody defines is External: its contents come from outside.
//
// Only what can be reached from the entry, constructors and destructors is part of the program.
package link
