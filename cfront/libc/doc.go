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
//
//   - An operation that other threads see at once is one atomic section; one that blocks begins with
//     its __comus_await, before which the section writes nothing, not even a local variable. A normal
//     mutex is locked by one __comus_lock, and unlocked by one __comus_unlock: these are the steps that
//     the engines know as locks. Where the state of a read-write lock lies, __comus_readers says, for reports.
//
//   - Time passes between any two steps, so an operation with a time limit is one that does not wait.
//
//   - What the standard leaves open is open: __comus_nondet_…. The choice 0 is always possible (the
//     comparison with gcc, and reports, then show what usually happens) unless an assumption
//     on the choice says otherwise. What is undefined is __comus_undefined, with the check that makes
//     it an error: memory, locks, threads.
//
//   - What is assumed although it may be otherwise is said: __comus_assumption, or __comus_assumed for
//     what only matters to programs that look at a result.
//
//   - What does more than the function can is named: __comus_approximation.
//
//   - The names of static functions and variables differ from file to file: all files together are one
//     unit that gcc compiles, too.
//
//   - A part that only some programs need (the ends of threads that have keys, cancellation, EINTR) hides behind a
//     macro COMUS_…, defined where the program mentions a function that brings it ([Select], features in libc.go).
//     Parameters and variables do not have the names of functions of the library: Select goes by words.
//
// # What the models say
//
//   - Thread ids are addresses of control blocks on the heap: large, apart while their threads live, used again
//     later. A new thread may run before its id is stored. Join, detachment and the like of what was joined, detached,
//     or never was a thread is undefined ("threads").
//   - Mutexes of all kinds as glibc has them, robust ones among them; normal ones are undefined where POSIX says
//     so. A lock that was destroyed is -1 in the word that an operation reads anyway.
//   - A wait for a condition may end at any time, so signals do nothing; __comus_wakeups is for questions of getting
//     stuck. Which thread of a round a barrier calls the serial one, and the order of destructors, is open.
//   - Cancellation is deferred; asynchronous cancellation is taken for it, as an assumption. Handlers of signals
//     run as threads of their own, an approximation; raise calls them at once, unless some thread has blocked the signal. A child of fork has the
//     thread that forks only. exec ends the program.
//   - The heap: allocation does not fail, as an assumption (unless a program is read so that it may, MayFail); realloc may move the
//     object or not. Copies of memory go in any order.
//   - Files hold anything, opening and writing may fail, printing leaves no trace in a FILE. The environment is
//     anything, and stays that. Times are any. errno is as glibc sets it, and may change where functions of
//     streams succeed.
//
// # Tests
//
// gcc compiles the models with glibc's headers and testdata/host.c, which defines the intrinsics over
// real threads. The models' functions are renamed there (model_strlen beside strlen), and
// testdata/compare*.c call both in the same way and compare results, errno and memory: a new function
// needs a line there, which TestCompared asks for.
package libc
