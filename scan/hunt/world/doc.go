// Package world performs functions of the C library and of the kernel for runs of whole programs in the interpreter, as they may do what they do on some machine: what
// a function does here is one of the executions that it has there. So a run of the program that has met no other functions is an execution of the program.
//
// Some functions do what they compute (getopt, the calendar in UTC, strftime). Of functions of the kernel one is chosen of the things that may happen: they fail, as any
// of them may (where a limit or a filter for system calls is set), with memory as it was; or they succeed, where what they leave is known here: a new descriptor, a file with
// some bytes, a packet from outside. What is chosen is asked for as inputs are, so that who records the inputs of a run has all that it depends on.
//
// Nothing here orders accesses of different threads, as none of it is among the functions that C or POSIX say synchronise memory. Functions that programs use
// as locks all the same (semop, flock) never succeed here, so that no race is found that nobody would call one.
package world
