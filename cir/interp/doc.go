// Package interp runs a [cir.Program], exactly to the byte: it is the judge of the front end,
// whose programs must do here what gcc's do on the machine.
//
// # Memory
//
// Memory is objects ([Object]), each with its bytes, and for each bit whether it was ever written.
// A register that holds a pointer holds an object and an offset. Objects are never used again after
// their life, so that every access is checked: is the object alive, is the range inside, is
// it constant. Objects above a megabyte are in pages that are made when they are written.
//
// In memory a pointer is the bytes of its address. An object gets an address when somebody wants to
// know it (the pointer is stored, compared with one of another object, converted): the next free one, with
// its alignment, for ever, with a gap behind it. So bytes alone say which object a pointer points to,
// in whatever pieces they were copied, and also an integer that was computed finds its object
// ([cir.Convert] to a pointer). Beside the bytes each aligned word remembers which pointer was stored there
// last; if the bytes are still those of its address, it is that pointer that is loaded: one that has left its
// object comes back as it was.
//
// What C leaves undefined ends the run as [Undefined] with its kind, a sentence and the place, or, with
// [Options.GoOn], goes on as gcc's unoptimised code for x86-64 does where that has a meaning. A left shift of
// a negative number and a subscript outside of the array, but inside the object, are of this kind, too. An
// access that is not aligned as it promises is only noted.
//
// # Indeterminate values
//
// A load may read bits that were never written, a copy may copy them: the value is
// arbitrary, but the same in each run, and each activation of a function that has met one keeps which bits of its
// registers depend on it ([cir.And] and shifts bit by bit; what else is computed from one is all
// indeterminate). It is undefined (check "uninitialised") when one decides something: a branch, an address, the divisor of a
// division, an argument of an intrinsic, a byte that is printed. With [Options.Reads] it is undefined already when a scalar is
// loaded of which a bit is indeterminate, unless it is only copied. Activations that have not met one do no work for this.
//
// # Running
//
// A function is compiled when it is first called: each instruction becomes a handler, a function of Go,
// and the indices of the slots of its operands. The slots of an activation are its registers, the
// constants that the function uses, and the addresses of its locals; activations that have ended are used again, with
// those of their locals whose address went nowhere. A scalar local that is only loaded and stored as a whole is a
// slot, too. 100 to 300 million simple instructions run in a second.
//
// A step is an instruction. A [Scheduler] chooses a thread and for how many steps; an atomic section is not
// interrupted. A thread whose Await does not hold goes back to the beginning of its atomic section (outside
// of one: to where the condition is computed), and is not ready until memory has changed. If no
// thread is ready, the run ends with [Deadlock].
//
// Constructors run before the entry. When the entry returns, the program's function exit is called, if there is a
// model of it; where it calls the intrinsic Stop (nobody else's Stop), or where there is no model, the destructors run,
// and the run ends.
//
// # Races, deadlocks, leaks
//
// With [Options.Races], a run tells its data races (races.go, synchronise.go, hidden.go; package happens has clocks and
// the memory of accesses): all accesses of the program and what the library does with the program's memory are noted by handlers that
// stand in for those of loads and stores, so that runs without the option do nothing for it. With it a run takes about twice the time. [Result.Waits]
// says who waits where for what, [Options.Leaks] what is left on the heap. Package sample runs a program under many schedules.
//
// # The library
//
// The intrinsics of formatted output, input and mathematics are glibc's in the "C" locale: Format to the byte
// for all conversions, long double included (%m is not known). [Math] is exact for sqrt, fabs, floor, ceil, trunc, round, rint,
// nearbyint, fmod, remainder, copysign, nextafter, fmin, fmax, fdim, logb, ldexp and their like. Other functions say
// Approximate: those of double that are rounded to nearest or follow glibc's algorithm (exp, log, pow,
// sin, asin, sinh, hypot and their kind) differ from glibc's in one of a thousand cases, cbrt, exp10, erf, gamma and
// Bessel functions, and those of float, often in the last bit. long double (80 bits), __float128 and _Float16 are computed in software,
// exactly and rounded once.
//
// A function without a body is performed by [Options.External]; package host has some for tests.
//
// # What is not exact
//
//   - [cir.HavocReachable] changes nothing, and the contents of objects defined nowhere are 0: the
//     result says Approximate. So it does for instructions whose [cir.Info.Approx] is set.
//   - The payload of a NaN that comes of two NaNs, where gcc is free to exchange the operands.
//   - Uses of indeterminate bits in an addition that cancels them out are taken for indeterminate.
package interp
