// Package cir is a whole C program as functions of basic blocks over byte-addressed
// memory: what the front end makes of the sources, before anybody has asked a
// question. Nothing is inlined, unrolled or taken apart; package specialise does that
// for the threads and the memory that matter to a question.
//
// # Memory
//
// Memory is made of objects: a [Global], a [Local] of an activation of a function, what
// [Alloca] or the intrinsic [Alloc] makes, a [Func] (which cannot be read). An object is
// a sequence of bytes with an alignment and, if somebody knows it, a [Shape] that says
// how C divides it up. A pointer is an object and an offset in bytes, or null, or an
// integer that was never an address. What its value is as an integer is open, but for what
// C promises: aligned, not 0, objects that live at the same time do not overlap, one past
// the end of one may be the beginning of another, string literals ([Global.Literal]) may
// share storage. Memory is little endian.
//
// [Load] and [Store] access one scalar, of their type's size or, for a bit-field, some
// bits of it, and are one step each whatever their size. Their [Access] says alignment,
// volatile and memory order; an access without an order is plain. An object accessed after
// its life has ended, out of its bounds or through null is undefined.
//
// # Registers and instructions
//
// A [Reg] belongs to a function, is assigned by exactly one instruction (or is a parameter
// of the function or of a block) and holds a scalar: an integer of 1 to 128 bits, a floating-point
// number, a pointer. Structs and unions live in memory only. Types are those of C's
// scalars, signs included: an addition of two ints is one on int with C's rule for
// overflow, and a conversion between int and unsigned is a [Convert]. _Bool and results
// of comparisons are integers of one bit without sign, a byte in memory.
//
// Operands are registers or constants ([Int], [Float], addresses). Instructions run in
// order; a block ends with a terminator. A block's parameters get their values from the
// jump that leads there: this is how values of ?:, && and || meet.
//
// # Functions
//
// Parameters are registers; a struct is given by the address of its bytes ([Param.ByVal]), which are
// copied into a fresh object at the call. A result that is a struct is copied from
// the address that [Return] gives to the address in [Call.Dest]. A function without blocks
// is external: package cfront gives it a model or a contract, or the call's meaning is what
// [Call.Unknown] says.
//
// # Threads
//
// A step is an instruction; threads interleave between any two of them. Between [AtomicBegin] and
// [AtomicEnd] (they nest) no other thread takes a step. [Await] and [AwaitFrom] wait until their condition holds: a
// thread whose await does not hold is blocked. Memory is sequentially consistent.
//
// # Exact, approximated, assumed
//
// An instruction whose [Info.Approx] is not empty stands for more than C says: it is
// named there, and only ever adds executions. [Assumption] is an instruction without
// effect: a verdict about executions that pass it rests on the sentence it carries.
//
// # Positions
//
// Each instruction has a [Site]: the place of its expression, down to the column and as
// the user wrote it, macros not expanded, the text of it, and the statement it belongs to.
package cir
