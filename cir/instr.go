package cir

import "math/big"

// Info is what every instruction has.
type Info struct {
	Site *Site
	// Approx names the approximation that the instruction stands for, "" if it is exact:
	// "inline assembly", "float", "long double", "call of unknown function 'f'".
	Approx string
}

// Instr is an instruction that is not a terminator.
type Instr interface {
	Meta() *Info
	instr()
}

// Term is an instruction that ends a block.
type Term interface {
	Meta() *Info
	term()
}

// Meta returns the instruction's Info, to read and to change.
func (i *Info) Meta() *Info { return i }

// Op is an operator of [Unary] or [Binary].
type Op uint8

// The operators. Operands and result have the same type; shifts take any integer type on the right.
const (
	Add      Op = iota // integers, floats
	Sub                // integers, floats
	Mul                // integers, floats
	Div                // integers (truncating; by 0 undefined), floats
	Rem                // integers (sign of the dividend; by 0 undefined)
	And                // integers
	Or                 // integers
	Xor                // integers
	Shl                // integers; undefined if the distance is negative or not less than the width, or, signed, the value is negative or overflows
	Shr                // integers; arithmetic for signed types
	Neg                // Unary: integers, floats
	Not                // Unary: integers, ~x
	Sqrt               // Unary: floats
	Fabs               // Unary: floats
	Clz                // Unary: integers; undefined for 0
	Ctz                // Unary: integers; undefined for 0
	Popcount           // Unary: integers
	Bswap              // Unary: integers of 16, 32, 64, 128 bits
)

// Unary is Dst = Op X.
type Unary struct {
	Info
	Dst  *Reg
	Op   Op
	X    Value
	Wrap bool // signed overflow wraps around; otherwise it is undefined
}

// Binary is Dst = X Op Y.
type Binary struct {
	Info
	Dst  *Reg
	Op   Op
	X, Y Value
	Wrap bool // signed overflow wraps around; otherwise it is undefined
}

// Overflow is Dst = X Op Y computed in infinite precision and converted to Dst's type (Add, Sub,
// Mul), and Over tells whether that changed the value: __builtin_add_overflow. X and Y may have different types.
type Overflow struct {
	Info
	Dst, Over *Reg
	Op        Op
	X, Y      Value
}

// Pred is a comparison.
type Pred uint8

// The comparisons. Those of floats are false if an operand is NaN, but for Ne.
const (
	Eq Pred = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

// Compare is Dst = X Pred Y, of type Bool. The operands have one type: integers (by its sign),
// floats, or pointers: equality of addresses; order of pointers into different objects is
// that of their addresses, which C leaves undefined.
type Compare struct {
	Info
	Dst  *Reg
	Pred Pred
	X, Y Value
}

// Convert is Dst = (type of Dst) X, between any two scalar types as C defines it: integers are
// truncated or extended by the sign of X's type; to Bool: X != 0; float to integer truncates,
// out of range is undefined; integer to float and float to float round to nearest, ties to even;
// pointer to integer gives the address, integer to pointer the object that was exposed there.
// A pointer to a pointer is the same, and says that what was one to something else, a struct say, is one to scalars from here on.
type Convert struct {
	Info
	Dst *Reg
	X   Value
}

// Bitcast is Dst = the bits of X, of the same size: float to integer and back.
type Bitcast struct {
	Info
	Dst *Reg
	X   Value
}

// Select is Dst = Cond ? X : Y, all evaluated.
type Select struct {
	Info
	Dst        *Reg
	Cond, X, Y Value
}

// Offset is Dst = P + Index*Scale + Disp bytes. Index is an integer of any type (by its sign), or nil.
type Offset struct {
	Info
	Dst   *Reg
	P     Value
	Index Value
	Scale int64
	Disp  int64
	// Len is set for a subscript of an array that is an object or part of one (not of a pointer):
	// the array's number of elements, 0 if there is none to be told. An index outside of 0 to Len is
	// undefined, and so is an access with index Len.
	Len int64
	// Of is set for a path of members: the struct or union that the program says stands At bytes from P, and of which it denotes a member, or an
	// element of one by Index. That is what C's type of the expression is, which nobody has checked; it has no meaning of its own.
	Of *Shape
	At int64
}

// Distance is Dst = (X - Y) / Size, of the signed type of pointers' size.
type Distance struct {
	Info
	Dst  *Reg
	X, Y Value
	Size int64
}

// Order is a memory order.
type Order uint8

// The memory orders. Plain is no atomic access.
const (
	Plain Order = iota
	Relaxed
	Acquire // consume too
	Release
	AcqRel
	SeqCst
)

// Access is what loads and stores have in common.
type Access struct {
	Type     Type
	Align    int64 // what the program promises
	Bits     *Bits // a bit-field
	Volatile bool
	Order    Order
}

// Whole reports whether an access of a volatile object is performed by one instruction of a machine: it is aligned, has at most the size of a register, and is none of a bit-field. Such accesses of
// one object by several threads are a data race in C, but never torn; compilers leave them as they are, and in their order.
func (a *Access) Whole(m *Model) bool {
	if !a.Volatile || a.Order != Plain || a.Bits != nil {
		return false
	}
	n := m.SizeOf(a.Type)
	return n > 0 && n <= int64(m.PointerBits/8) && n&(n-1) == 0 && a.Align >= n
}

// Load is Dst = *Addr. Of a bit-field, the value is extended by the sign of Type, which is Dst's type.
type Load struct {
	Info
	Dst  *Reg
	Addr Value
	Access
}

// Store is *Addr = X.
type Store struct {
	Info
	Addr, X Value
	Access
}

// AssignsFlag reports whether an instruction assigns to a volatile sig_atomic_t, which is glibc's int.
func AssignsFlag(in Located) bool {
	s, ok := in.(*Store)
	return ok && s.Volatile && s.Order == Plain && s.Bits == nil && s.Type == Type{Kind: IntKind, Bits: 32, Signed: true}
}

// Copy copies Size bytes from Src to Dst, in any order and any grouping; other threads may
// see it half done. The two do not overlap (or are the same), unless Overlap is set
// (memmove). Provenance of pointers is copied. Shape, if known, says what is copied.
type Copy struct {
	Info
	Dst, Src Value
	Size     Value // of the unsigned type of pointers' size
	Align    int64
	Overlap  bool
	Volatile bool
	Shape    *Shape
}

// Fill sets Size bytes to Byte (of type U8), in any order.
type Fill struct {
	Info
	Dst, Byte, Size Value
	Volatile        bool
	Shape           *Shape
}

// RMWOp is what an atomic read-modify-write does.
type RMWOp uint8

// The read-modify-writes. Arithmetic wraps around.
const (
	Xchg RMWOp = iota
	RMWAdd
	RMWSub
	RMWAnd
	RMWOr
	RMWXor
	RMWNand
	RMWTest // test and set: stores 1 as a byte
)

// RMW is one atomic step: Dst = *Addr (the old value; nil if unused), *Addr = Dst Op X. X is of the
// access's type; for pointers and RMWAdd or RMWSub, an integer number of bytes.
type RMW struct {
	Info
	Op   RMWOp
	Dst  *Reg
	Addr Value
	X    Value
	Access
}

// CmpXchg is one atomic step: Old = *Addr; if Old == Expected, bit by bit, then *Addr = New; OK tells
// whether. Weak ones may fail though equal.
type CmpXchg struct {
	Info
	Old, OK       *Reg
	Addr          Value
	Expected, New Value
	Weak          bool
	Failure       Order
	Access
}

// Fence is a memory fence; one for the compiler only (asm volatile("" ::: "memory")) has Compiler set.
type Fence struct {
	Info
	Order    Order
	Compiler bool
}

// Arg is an argument of a call.
type Arg struct {
	X     Value
	ByVal *Shape // a struct or union, of which X is the address
}

// Unknown says what a call of a function without a body may do.
type Unknown uint8

// The calls.
const (
	Known    Unknown = iota // the callee has a body
	Havoc                   // any change of memory reachable from the arguments, any result
	Pure                    // any result
	Contract                // what package contract says of the function
	Open                    // what code of another unit may do: the arguments lead to all that has external linkage ([OpenTable])
)

// OpenTable is the name of a table of all that has external linkage, which calls of [Open] functions are given behind their own arguments.
// It leads to all that code outside of the program has got to know as well.
const OpenTable = ".linked"

// Call is Dst = Callee(Args).
type Call struct {
	Info
	Dst    *Reg  // nil: no scalar result, or unused
	Callee Value // *Func, or any pointer
	Args   []Arg
	Result Result // as the caller sees it
	To     Value  // Result.Shape: where the struct goes
	Fixed  int    // the number of arguments before the variable ones; len(Args) if not variadic
	// Unknown is set by the linker for a callee without a body or model.
	Unknown Unknown
	Returns bool // the call may return (false: noreturn)
}

// VaStart makes the va_list object at Ap refer to the variable arguments of this activation.
type VaStart struct {
	Info
	Ap Value
}

// VaArg reads the next argument of the va_list object at Ap: a scalar into Dst, of Dst's type, or
// a struct copied to To.
type VaArg struct {
	Info
	Dst   *Reg
	Ap    Value
	To    Value
	Shape *Shape
}

// VaCopy makes the va_list object at Dst a copy of that at Src.
type VaCopy struct {
	Info
	Dst, Src Value
}

// VaEnd ends the use of the va_list object at Ap.
type VaEnd struct {
	Info
	Ap Value
}

// LifeStart begins the life of a scoped local (again): its contents are indeterminate.
type LifeStart struct {
	Info
	Local *Local
}

// LifeEnd ends the life of a scoped local, if it has begun.
type LifeEnd struct {
	Info
	Local *Local
}

// Alloca is Dst = the address of a new object of Size bytes that lives until the function returns or a
// StackRestore to a mark before it.
type Alloca struct {
	Info
	Dst   *Reg
	Size  Value
	Align int64
	Name  string // of the variable length array, "" for alloca
	Elem  *Shape // of the elements, if known
}

// StackSave is Dst = a mark of this activation's Alloca objects.
type StackSave struct {
	Info
	Dst *Reg
}

// StackRestore ends the lives of the objects of Alloca since the mark.
type StackRestore struct {
	Info
	Mark Value
}

// Assumption has no effect: what is said of executions that pass it rests on this sentence.
type Assumption struct {
	Info
	Sentence string
}

// Jump goes on at a block.
type Jump struct {
	Info
	To   *Block
	Args []Value
}

// Branch goes on at Then if Cond, of type Bool, holds, otherwise at Else.
type Branch struct {
	Info
	Cond               Value
	Then, Else         *Block
	ThenArgs, ElseArgs []Value
}

// Case is a range of values of a switch, inclusive, in the order of the type.
type Case struct {
	Lo, Hi Int
	To     *Block
}

// Has reports whether a number is one of the case's.
func (c Case) Has(n int64) bool {
	x := big.NewInt(n)
	return c.Lo.Big().Cmp(x) <= 0 && x.Cmp(c.Hi.Big()) <= 0
}

// Switch goes on where the case that holds X leads. No block it leads to has parameters.
type Switch struct {
	Info
	X       Value
	Cases   []Case // disjoint
	Default *Block
}

// IndirectJump goes on at the block whose address X is, one of Targets: GNU's goto *x.
type IndirectJump struct {
	Info
	X       Value
	Targets []*Block
}

// Return ends the activation. X is nil for void, the address of the bytes for a struct.
type Return struct {
	Info
	X Value
}

// Unreachable ends a block that control does not get to the end of: getting there is undefined.
type Unreachable struct {
	Info
	Why string // "call of a noreturn function returns", "__builtin_unreachable"
}

func (*Unary) instr()        {}
func (*Binary) instr()       {}
func (*Overflow) instr()     {}
func (*Compare) instr()      {}
func (*Convert) instr()      {}
func (*Bitcast) instr()      {}
func (*Select) instr()       {}
func (*Offset) instr()       {}
func (*Distance) instr()     {}
func (*Load) instr()         {}
func (*Store) instr()        {}
func (*Copy) instr()         {}
func (*Fill) instr()         {}
func (*RMW) instr()          {}
func (*CmpXchg) instr()      {}
func (*Fence) instr()        {}
func (*Call) instr()         {}
func (*VaStart) instr()      {}
func (*VaArg) instr()        {}
func (*VaCopy) instr()       {}
func (*VaEnd) instr()        {}
func (*LifeStart) instr()    {}
func (*LifeEnd) instr()      {}
func (*Alloca) instr()       {}
func (*StackSave) instr()    {}
func (*StackRestore) instr() {}
func (*Assumption) instr()   {}
func (*Intrinsic) instr()    {}

func (*Jump) term()         {}
func (*Branch) term()       {}
func (*Switch) term()       {}
func (*IndirectJump) term() {}
func (*Return) term()       {}
func (*Unreachable) term()  {}

// IsWeak reports whether an instruction is an atomic access, or a fence for the processor, with a weaker order than seq_cst.
func IsWeak(in Instr) bool {
	weak := func(o Order) bool { return o != Plain && o != SeqCst }
	switch in := in.(type) {
	case *Load:
		return weak(in.Order)
	case *Store:
		return weak(in.Order)
	case *RMW:
		return weak(in.Order)
	case *CmpXchg:
		return weak(in.Order) || weak(in.Failure)
	case *Fence:
		return weak(in.Order) && !in.Compiler
	}
	return false
}
