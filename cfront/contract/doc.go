// Package contract knows what the functions of the C library do to a program that
// calls them, without having their bodies: two thousand names of C11, POSIX,
// glibc and of the libraries that real programs link with.
//
// A contract is what an analysis needs to go on after the call: through which
// parameter the function reads and writes and how much at most, which pointers it
// keeps, frees or calls, what it returns, which hidden state of the library it
// touches, and whether it returns at all. A contract is an upper bound. Everything
// that an implementation may do is in it; something in it need not happen. Where
// documentation leaves a doubt, the contract allows more.
//
// A contract also bounds what is left out. A function with a contract
//   - writes no memory of the program other than what its accesses, its callbacks
//     and the pointers kept in the state it writes ([Retention]) say,
//   - starts no thread that runs the program's code unless it says [Function.Threads],
//     and takes or releases none of the program's locks unless it is a lock function
//     (then it writes the lock's object through a parameter),
//   - calls no function of the program but those that it is given to be called (calls), those that were kept in a state that it touches
//     or keeps something in, and those that stand in variables of the library,
//   - returns only a value of [Function.Results].
//
// It is for functions of these names that have no body, and whose declaration in the
// program has as many parameters: a program may have its own function warn, and another
// times.
//
// # The table
//
// The contracts are data, text files in the folder data, one line a function. Users
// may have tables of their own ([Parse]). Lines look like this:
//
//	header stdio.h
//	fread(p: w[size*n], size, n, f: FILE) = 0..n  errno blocks
//	strtol(s: r[z], end?: w[ptr]=into s, base) = any  errno reads:locale
//	qsort(base: rw[n*size], n, size, cmp: calls now(into base, into base)) = void  errno
//	getenv(name: r[z]) = null | static environ | kept environ  reads:environ
//
// that is: a name, parameters, the result, facts. "#" begins a comment.
//
// A parameter is its name, "?" if it may be a null pointer, and traits after a colon.
// Parameters that are not pointers mostly have none.
//
//	r[E] w[E] rw[E]  reads, writes, reads and writes at most E of what it points to
//	w[E]=V|W         and what is stored there is one of these values
//	free             frees the object (may free: on failure it may not)
//	free below       may free objects that the object points to
//	keep S           keeps the pointer in the hidden state S: later calls of functions
//	                 that touch S may return it, and if accesses follow in parentheses,
//	                 keep S(rw[all]), may do these
//	keep contents S  keeps not the pointer but the bytes that are read through it: pointers
//	                 among them are returned as they are
//	keep S async     ... and the accesses may happen at any time, without a call
//	calls W(V, V)    calls it (W: now, later, signal, thread) with these arguments;
//	                 without parentheses with anything reachable from the arguments.
//	                 Of a struct: the functions that its fields point to. Functions kept
//	                 in S (keep S calls later) are called by those that write S
//	passed           is only handed to a callback, or returned
//	ignored          a pointer that is not followed
//	printf scanf     a format, with arguments as the "..." or va_list after it; printf
//	                 reads, scanf writes, %n writes; wprintf, wscanf: wide
//	va               a va_list, its arguments as the format says
//	LOW..HIGH        the call is undefined with a value outside of this range
//	FILE             an object of the library, declared by "handle"
//
// An extent E is one or more upper bounds separated by commas: the least counts.
//
//	12  n  n*size    bytes: numbers, parameters and types multiplied
//	stat  n*wchar_t  types as declared by "type"
//	z  wz            a string (a wide string) up to and including its terminator
//	z(s)  wz(s)      as many bytes as the string in parameter s has with terminator
//	all              the whole object, from its first to its last byte
//	below            everything reachable through pointers in it, without itself
//	deep             all and below
//
// A result, or a value stored, or an argument of a callback is one or more of
//
//	void             (alone) nothing is returned
//	any              any value of the type; for a pointer: null, or anywhere into what
//	                 the function can reach: its arguments, the library's own memory,
//	                 what has been kept in the states it touches
//	anywhere         for a pointer: any, and into every other object and to every function
//	                 of the program too
//	bytes            any bytes, none of them a pointer into the program's memory
//	-1   0..n   1..  a number, a range; an end left out is that of the type
//	error            a positive error number; error(EINVAL EPERM): one of these
//	null             a null pointer
//	fresh            a new object of unknown size and contents, aliased by nothing
//	fresh[E]         of at least E bytes and undetermined contents
//	fresh zero[E]    of at least E bytes, all zero
//	fresh any[E]     of at least E bytes, with any contents
//	fresh string     a string, wide string where the type says so
//	fresh FILE       a new object of the library
//	is p             the pointer (value) passed as parameter p
//	into p           a pointer into the object p points to (or one past its end)
//	below p          a pointer into something reachable from there
//	static S         a pointer into static storage of the state S, which calls share;
//	                 the function writes S unless it says reads:S
//	thread S         the same, each thread with its own
//	kept S           a pointer that some call has kept in S, or into what it points to;
//	                 one among bytes that were kept in S
//
// What is in storage and objects of the library are any bytes; pointers among them point
// into the library's memory or have been kept in the same state. Extents of what is kept
// are meant as they were when it was.
//
// Facts follow:
//
//	const            the result depends on the values of the arguments only, nothing is
//	                 changed (errno apart if it says so)
//	pure             it also reads memory, by its accesses and states
//	errno            may set errno, also when it succeeds
//	noreturn         never returns to its caller
//	ends             may end the process (or replace it), end the thread or jump away
//	                 instead of returning. That any function may end in a signal which
//	                 nobody handles, as SIGPIPE, and that those that block may end a
//	                 thread that is cancelled, is not mentioned everywhere
//	twice            may return twice (setjmp, fork)
//	blocks           may wait for other threads, processes or devices
//	threads          calls a callback from a thread of its own, or starts threads
//	unsafe           not thread-safe: POSIX lets it race with a concurrent call of any
//	                 function that touches the same state (two that only read it do
//	                 not race in practice); where that is a handle's, through the same
//	                 object
//	reads:S writes:S touches the hidden state S (a handle's state needs no mention)
//	model            a model in C says it exactly; the contract is for analyses
//
// Other lines:
//
//	header H              the functions that follow are declared in header H
//	alias NEW OLD         a second name for a contract
//	type T N M SPELLING   a type of the C library: its size with LP64 and ILP32
//	handle T S            objects of the library that the program has pointers to
//	state S WHAT          hidden state of the library
//	variable V S          the variable V of the library is part of the state S: functions
//	                      that write S write V, and functions that read S read it
//	errors F G CODES      the error numbers that documentation lists for F and G
//
// Tests hold the table against glibc: every prototype and every attribute of its
// headers, the sizes of its types, and the behaviour of six hundred of its functions, called
// with a guard page after each buffer and canaries before it. The manual pages of Linux
// agree on thread safety.
package contract
