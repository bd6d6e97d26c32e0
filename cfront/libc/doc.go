// Package libc is the C library and POSIX threads as C, over the intrinsics of comus.h.
//
// A program's functions that it does not define are looked up here by name ([File]); the file
// that defines one is read like a source of the program, and linked with it. What is not here
// has a contract (package contract), or may do anything.
//
// # Adding a function
//
// Write it in C, in folder c, in the file of its header, as the standard says it, and nothing else has to
// be told: names are found by scanning the files. Each file includes libc.h, which has
// glibc's types with glibc's layout, so that the files are read without the headers of the system;
// what is missing there is added. A person's own models (--model FILE.c) are written in
// the same way and may include comus.h or what they like.
//
//   - State of an object of the user (a mutex, a semaphore) lives in the object's own bytes, in a
//     struct of ours laid over them. All zero and what glibc's static initialisers put there must
//     be right initial states, in LP64 and ILP32.
//   - An operation that other threads see at once is one atomic section; one that blocks begins with
//     its __comus_await, before which the section writes nothing, not even a local variable. A normal
//     mutex is locked by one __comus_lock, and unlocked by one __comus_unlock: these are the steps that
//     the engines know as locks.
//   - Time passes between any two steps, so an operation with a time limit is one that does not wait.
//   - What the standard leaves open is open: __comus_nondet_…. The choice 0 is always possible (the
//     comparison with gcc, and reports, then show what usually happens) unless an assumption
//     on the choice says otherwise. What is undefined is __comus_undefined, with the check that makes
//     it an error: memory, locks, threads.
//   - What is assumed although it may be otherwise is said: __comus_assumption, or __comus_assumed for
//     what only matters to programs that look at a result.
//   - What does more than the function can is named: __comus_approximation.
//   - State that only some programs need hides behind a variable that only the functions that need it
//     set (__comus_cancels): in all others it is constant, and costs nothing.
//   - The names of static functions and variables differ from file to file: all files together are one
//     unit that gcc compiles, too.
//
// # Tests
//
// gcc compiles the models with glibc's headers and testdata/host.c, which defines the intrinsics over
// real threads. The models' functions are renamed there (model_strlen beside strlen), and
// testdata/compare*.c call both in the same way and compare results, errno and memory: a new function
// needs a line there, which TestCompared asks for.
package libc
