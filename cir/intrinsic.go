package cir

// IntrinsicOp is what an [Intrinsic] does. In C it is a call of the function of the same
// name behind "__comus_", declared in cfront/libc/comus.h.
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
	// Assert(c): an error named Name if c is 0.
	Assert
	// Undefined(c): what follows has no meaning in C if c is 0. Name says why; Check names the property
	// that makes it an error ("memory", "locks", "overflow").
	Undefined
	// AtomicBegin, AtomicEnd: an atomic section; they nest.
	AtomicBegin
	AtomicEnd
	// ThreadCreate(f, arg): Dst = the id of a new thread that will call f(arg), f: void (*)(void *).
	ThreadCreate
	// ThreadExit(): ends this thread. Ended is true from then on.
	ThreadExit
	// ThreadSelf(): Dst = this thread's id.
	ThreadSelf
	// ThreadEnded(id): Dst = 1 if the thread has ended, else 0.
	ThreadEnded
	// ThreadCount(): Dst = the number of threads that were created so far, main's included.
	ThreadCount
	// Stop(status): ends the program.
	Stop
	// Alloc(size): Dst = the address of a new object on the heap, contents indeterminate; never null.
	Alloc
	// Free(p): ends the life of an object that Alloc made; undefined for any other pointer.
	Free
	// ObjectSize(p): Dst = the size in bytes of the object that p points into.
	ObjectSize
	// IsFresh(p): Dst = 1 if p is the address of a live object of Alloc (what free may be given).
	IsHeap
	// HavocBytes(p, n): the n bytes at p get any values.
	HavocBytes
	// HavocReachable(p): everything that can be reached from p may change, now.
	HavocReachable
	// Lock(p): one step: waits until the int at p is 0, then sets it to this thread's id + 1.
	Lock
	// Unlock(p): one step: sets the int at p, which is this thread's id + 1, to 0.
	Unlock
	// Setjmp(buf): Dst = 0, or what Longjmp gave. Longjmp(buf, v) does not return.
	Setjmp
	Longjmp
	// FrameAddress(level), ReturnAddress(level): any pointer.
	FrameAddress
	ReturnAddress
	// Trap(): ends the program abnormally, without an error of comus's: abort.
	Trap
	// Print(fmt, ap): the C library's formatted output, for the interpreter: Dst = what
	// vsnprintf(p, n, fmt, ap) returns. Arguments: p, n, fmt, ap.
	Format
	// WriteOut(p, n): n bytes go to the standard output (fd 1) or error (fd 2): arguments fd, p, n.
	WriteOut
	// ReadIn(p, n): Dst = the number of bytes, at most n, read from the standard input; -1 at its end.
	ReadIn
	// Scan(s, fmt, ap): Dst = what vsscanf returns.
	Scan
	// Math(x, y): Dst = the function of <math.h> called Name.
	Math
	// StrtoD(s): Dst = what strtod(s, 0) returns.
	StrtoD
)

// Intrinsic is Dst = Op(Args): the handful of things that neither C nor an instruction can say.
type Intrinsic struct {
	Info
	Op    IntrinsicOp
	Dst   *Reg // nil if there is no result, or it is unused
	Args  []Value
	Name  string // see the operators
	Check string
}
