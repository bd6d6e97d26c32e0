package cir

// IntrinsicOp is what an [Intrinsic] does. In C it is a call of the function of the same
// name behind "__comus_", declared in cfront/libc/comus.h. Three functions there are other instructions:
// __comus_copy is [Copy], __comus_fill [Fill], __comus_assumption [Assumption].
type IntrinsicOp uint8

// The intrinsics. "id" is a thread's number: 0 for main's, then 1, 2, … in the order of creation.
const (
	// Nondet: Dst = any value of its type. Name is the input's name ("__VERIFIER_nondet_int"), or "" if
	// it is a choice of ours and not an input of the program.
	Nondet IntrinsicOp = iota
	// Assume(c): executions in which c is 0 are none of the program.
	Assume
	// Await(c): waits until c is not 0. Between AtomicBegin and the Await of an atomic section nothing
	// may have been written: the section waits as a whole, and c is read anew.
	Await
	// AwaitFrom(c, giver): as Await. While c is 0, giver is the id + 1 of the thread that alone can make it hold, in a step of its own;
	// any may if it is the number of none.
	AwaitFrom
	// Assert(c): an error named Name if c is 0.
	Assert
	// Undefined(c): what follows has no meaning in C if c is 0. Name says why; Check names the property
	// that makes it an error ("memory", "locks", "threads", "overflow").
	Undefined
	// AtomicBegin, AtomicEnd: an atomic section; they nest. Name is [OneObject] where the section is one access of an
	// atomic object that is too large for an instruction.
	AtomicBegin
	AtomicEnd
	// ThreadCreate(f, a, b, c): Dst = the id of a new thread that will call f(a, b, c), a function of up to three pointers.
	ThreadCreate
	// ThreadExit(): ends this thread, and the atomic section that it is in. Ended is true from then on. When
	// the last thread has ended, the program has, with status 0.
	ThreadExit
	// ThreadSelf(): Dst = this thread's id.
	ThreadSelf
	// ThreadEnded(id): Dst = 1 if the thread has ended, else 0.
	ThreadEnded
	// ThreadMany(c): Dst = 1 if the question is about any number of threads, of which one may be told apart from the others; if c
	// is not 0, which is a constant, only where any number of them may be created. 0 when a program is run.
	ThreadMany
	// ThreadJoined(id): no effect. The thread has ended, and whoever is here is the only one that ever waited for it.
	ThreadJoined
	// ThreadAlone(): all other threads stop for good, each where it is: from here on the program is a copy of itself that has this thread
	// only, as the child of fork is. None of them has ended.
	ThreadAlone
	// Interrupt(signal, again): the handler of a signal is about to run in this thread, which is there for that, and interrupts another thread, one that runs that handler itself only if
	// again is not 0: that does nothing until Resume. Dst = 0 if this thread has the identity of that one meanwhile, its variables, locks and id; 1 if it has not; or
	// negative: nobody knows which thread it interrupts, and none is kept from going on. With signal 0, where a handler runs and that was 1: Dst = the id + 1 of the thread that it interrupts.
	Interrupt
	// Resume(): the handler has ended, and the thread that it interrupts goes on.
	Resume
	// ThreadCount(): Dst = the number of threads that were created so far, main's included.
	ThreadCount
	// Stop(status): ends the program.
	Stop
	// Alloc(size): Dst = the address of a new object on the heap, contents indeterminate; never null.
	Alloc
	// AllocAligned(size, alignment): as Alloc, at a multiple of alignment, which is a power of two.
	AllocAligned
	// Free(p): ends the life of an object that Alloc, AllocAligned or Resize made; undefined for any other pointer.
	Free
	// ObjectSize(p): Dst = the size in bytes of the object that p points into.
	ObjectSize
	// IsHeap(p): Dst = 1 if p is the address of a live object of Alloc, AllocAligned or Resize (what free may be given). p may
	// be any pointer.
	IsHeap
	// IsSet(p, n): Dst = 1 if none of the n bytes at p is indeterminate: static, or written since the object's
	// life began. It may be 0 anyway, where misuse of locks is not asked about (check "locks"), or the C is run that cir/cgen prints.
	IsSet
	// IsConst(p): Dst = 1 if p points into an object that nothing may write: a literal, or one declared const. It may be 0
	// anyway, where that is not known.
	IsConst
	// Wakeups(): Dst = 1 if the question is one of getting stuck, so that what POSIX allows to end at any time, but does not promise
	// to end, does not; 2 if it is one of the use of locks, so that it matters who waits; 3 if it may; else 0.
	Wakeups
	// Resize(p, n): Dst = the address of a new object of n bytes on the heap with the bytes of the one that p is
	// the address of, as many as both have; that one's life ends, and the new one may have its
	// address. The rest is indeterminate. p as for Free.
	Resize
	// HavocBytes(p, n): the n bytes at p get any values.
	HavocBytes
	// HavocReachable(p): everything that can be reached from p may change, now.
	HavocReachable
	// Lock(p): one step: waits until the int at p is 0, then sets it to this thread's id + 1. Undefined (check
	// "locks") if the int is negative: a lock that was destroyed. With that check, a lock by the thread
	// that holds it already, which waits forever, is an error, too.
	Lock
	// Unlock(p): one step: sets the int at p to 0. Undefined (check "locks") if it is not this thread's id + 1.
	Unlock
	// Readers(p): no effect. The int at p tells who holds a read-write lock: how many threads read, or by a negative number that one writes.
	Readers
	// Apart(p, n, q, m): undefined (check "memory") if the n bytes at p and the m bytes at q have some in common.
	Apart
	// Given(p, n): undefined (check "memory") if one of the n bytes at p is indeterminate: a model is given a value to read.
	Given
	// Setjmp(buf): Dst = 0, or what Longjmp gave. Longjmp(buf, v) does not return.
	Setjmp
	Longjmp
	// FrameAddress(level), ReturnAddress(level): any pointer.
	FrameAddress
	ReturnAddress
	// Reaching(p): Dst = any pointer that code outside may have which is given p: null, one from outside, or one into something that can be
	// reached from p, or from what has been given to code outside before.
	Reaching
	// Trap(): ends the program abnormally, without an error of comus's: abort.
	Trap
	// Format(p, n, fmt, ap): the C library's formatted output: Dst = what vsnprintf(p, n, fmt, ap) returns.
	Format
	// Print(fd, fmt, ap): formats, and writes to fd as WriteOut does, or nowhere if fd is neither 1 nor 2: Dst =
	// what vprintf returns if the output does not fail.
	Print
	// WriteOut(fd, p, n), __comus_write: n bytes go to the standard output (fd 1) or error (fd 2), or nowhere.
	WriteOut
	// ReadIn(p, n), __comus_read: Dst = the number of bytes, at most n, read from the standard input; -1 at its end.
	ReadIn
	// ReadLine(p, n): like ReadIn, but nothing behind the end of a line.
	ReadLine
	// Scan(s, fmt, ap): Dst = what vsscanf returns.
	Scan
	// Math(x, y): Dst = the function of <math.h> called Name.
	Math
	// StrtoD(s): Dst = what strtod(s, 0) returns.
	StrtoD
	// Assumed(x): Dst = x. The uses of Dst rest on the sentence Name; if there are none, nothing does.
	Assumed
	// Approximation(): no effect. What passes it is approximated: its Info.Approx is the literal.
	Approximation
)

// OneObject is the Name of an atomic section that stands for one access, seq_cst, of the object that it accesses.
const OneObject = "object"

// Intrinsic is Dst = Op(Args): the handful of things that neither C nor an instruction can say.
type Intrinsic struct {
	Info
	Op    IntrinsicOp
	Dst   *Reg // nil if there is no result, or it is unused
	Args  []Value
	Name  string // see the operators
	Check string
}
