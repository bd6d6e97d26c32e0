// Package world performs functions of the C library and of the kernel for runs of whole programs in the interpreter, as they may do what they do on some machine: what
// a function does here is one of the executions that it has there. So a run of the program that has met no other functions is an execution of the program.
//
// Some functions do what they compute (getopt, the calendar, strftime), where the time zone is GMT and no locale is set. Functions of the kernel fail, as any
// of them may where a limit or a filter for system calls is set, with memory as it was; some succeed. There are files, as whoever runs the program has put them there,
// and an environment ([Outside]); sockets to which somebody may connect, who sends the text of the standard input, while others get no answer; epolls that nothing happens to; shared memory that nobody else has. What
// programs use as locks (semop, flock) never succeeds here. What is chosen is asked for as inputs are, so that who records the inputs of a run has all
// that it depends on.
package world
