package contract

// A Function is the contract of one function. Functions are shared: do not change them.
type Function struct {
	Name   string
	Header string // where it is declared, "stdio.h"; empty: in no public header
	Params []Param
	// Variadic holds the traits of the arguments after the last parameter, each of
	// them; nil if there are none.
	Variadic *Param
	// Results are the values that may be returned, at least one; none if it is void.
	Results []Value
	Purity  Purity
	// Errno: it may set errno, whether it fails or not.
	Errno bool
	// NoReturn: it never returns to its caller.
	NoReturn bool
	// MayEnd: it may end or replace the process instead of returning.
	MayEnd bool
	// Twice: it may return more than once, as setjmp and fork.
	Twice bool
	// Blocks: it may wait for another thread, process or device.
	Blocks bool
	// Threads: it calls a callback from a thread of its own, or starts a thread.
	Threads bool
	// Unsafe: a concurrent call of a function that touches the same state is a race.
	Unsafe bool
	// Model: a model in C exists and is to be preferred to the contract.
	Model bool
	// Reads and Writes are the hidden state it touches, that of handles included.
	Reads, Writes []State
	// Errors are the error numbers that documentation lists, as errno or as result.
	// They are not all: a kernel may report others.
	Errors []string
	At     Place
}

// Purity tells whether a call has effects.
type Purity int

const (
	Impure Purity = iota // may have effects beyond its contract outside of the program
	Pure                 // no effects; the result depends on arguments and memory read
	Const                // no effects; the result depends on the arguments' values only
)

// A Place is a line of the table.
type Place struct {
	File      string
	Line, Col int
}

// A State names hidden state of the library, as "environ" or "rand".
type State string

// A Param says what happens through a parameter.
type Param struct {
	Name     string
	Nullable bool // a null pointer is allowed
	Accesses []Access
	Frees    bool // may free the object
	// FreesBelow: may free objects that the object points to.
	FreesBelow bool
	Retains    []Retention
	Calls      []Call
	Passed     bool // only handed to a callback, or back
	Ignored    bool // a pointer that is not followed
	Format     Format
	VaList     bool   // a va_list, accessed as the format says
	Handle     string // points to an object of the library, declared by "handle"
	Domain     *Range // the call is undefined outside
}

// An Access is what the function may read or write through a pointer.
type Access struct {
	Reads, Writes bool
	Extent        Extent
	// Stores are the values that may be found there afterwards; none: any bytes.
	Stores []Value
}

// A Retention says that the function retains a pointer beyond the call.
type Retention struct {
	State State
	// Contents: it is not the pointer that is kept, but the bytes that the function reads through it.
	Contents bool
	// Accesses are what later calls that touch the state may do through it.
	Accesses []Access
	// Async: they may happen at any time, without a call.
	Async bool
}

// A Call says that the function calls a parameter.
type Call struct {
	When When
	// Args are the possible values of each argument; nil: anything reachable.
	Args [][]Value
}

// When is the time of a callback.
type When int

const (
	Now      When = iota // during the call, by the calling thread, any number of times
	Later                // during a later call of the library, exit and end of thread included
	AsSignal             // at any time after the call, interrupting any thread
	InThread             // at any time after the call, in another thread
)

// Format is the kind of a format string.
type Format int

const (
	NoFormat   Format = iota
	Printf            // reads its arguments, writes through those of %n
	Scanf             // writes through its arguments
	WidePrintf        // Printf with a wide format
	WideScanf         // Scanf with a wide format
)

// Wide tells whether the format itself is a wide string.
func (f Format) Wide() bool { return f == WidePrintf || f == WideScanf }

// An Extent bounds how many bytes are accessed: the least of its limits.
type Extent []Limit

// A Limit is one bound of an extent.
type Limit struct {
	Kind  LimitKind
	Bytes Product // of kind Bytes
}

// LimitKind is what a limit speaks of.
type LimitKind int

const (
	Bytes      LimitKind = iota // a number of bytes
	String                      // up to and including the first zero byte
	WideString                  // up to and including the first zero wide character
	Whole                       // the whole object, from its first to its last byte
	Below                       // everything reachable through pointers in the object
	Deep                        // Whole and Below
)

// A Product is a number: factors multiplied.
type Product []Factor

// A Factor is a number, the value of a parameter, the size of a type, or the size
// of the string in a parameter.
type Factor struct {
	Kind   FactorKind
	Number int64  // of kind Number
	Param  int    // the parameter's index, of kinds Param, StringIn, WideStringIn
	Type   string // of kind SizeOf
}

// FactorKind is what a factor is.
type FactorKind int

const (
	Number       FactorKind = iota
	ParamValue              // the value of a parameter
	SizeOf                  // the size of a type
	StringIn                // bytes of the string a parameter points to, with its terminator
	WideStringIn            // the same for a wide string
)

// A Value is one of the values that a function may return or store.
type Value struct {
	Kind  ValueKind
	Range Range // of kind Within
	Param int   // of kinds Same, Into, BelowParam
	// State is that of kinds Static, ThreadLocal, Kept.
	State  State
	Codes  []string // of kind Error: the error numbers it may be; none: any
	Handle string   // of kind Fresh: an object of the library
	Size   Product  // of kind Fresh: at least this; none: unknown
	Fill   Fill     // of kind Fresh
}

// ValueKind is what a value is.
type ValueKind int

const (
	Any         ValueKind = iota // any value; a pointer to anything the function can reach
	Anywhere                     // a pointer into any object of the program, or to a function
	Within                       // a number of a range
	Error                        // a positive error number
	Null                         // a null pointer
	Fresh                        // a new object, aliased by nothing
	Same                         // the value of a parameter
	Into                         // into the object a parameter points to, or just past it
	BelowParam                   // into something reachable from a parameter
	Static                       // into static storage of a state
	ThreadLocal                  // into a thread's own storage of a state
	Kept                         // a pointer kept in a state, or into what it points to; one among bytes kept there
	PlainBytes                   // any bytes, of which none are a pointer into the program's memory
)

// Fill is what a fresh object contains.
type Fill int

const (
	FilledAny    Fill = iota // any bytes, all of them written
	Undetermined             // undetermined: reading it before writing is an error
	Zeroed                   // zero bytes
	AString                  // a string, wide if the type says so
)

// A Range is the numbers between two bounds, both included. A bound that is nil is
// that of the type.
type Range struct{ Low, High *Bound }

// A Bound is an end of a range.
type Bound struct {
	Negative bool
	Product  Product
}

// A DataModel gives sizes to types.
type DataModel int

const (
	LP64 DataModel = iota
	ILP32
)

// A Type is a type of the library.
type Type struct {
	Name     string
	Size     [2]int64 // by DataModel
	Spelling string   // in C
	At       Place
}

// Param returns the index of the parameter of this name, or -1.
func (f *Function) Param(name string) int {
	for i := range f.Params {
		if f.Params[i].Name == name {
			return i
		}
	}
	return -1
}

// Touches tells whether the function reads or writes the state.
func (f *Function) Touches(s State) bool {
	return contains(f.Reads, s) || contains(f.Writes, s)
}

// Reads and Writes tell whether the function may access memory through the parameter
// during the call.
func (p *Param) Reads() bool {
	return p.accesses(func(a Access) bool { return a.Reads })
}

// Writes tells whether the function may write through the parameter during the call.
func (p *Param) Writes() bool {
	return p.accesses(func(a Access) bool { return a.Writes })
}

func (p *Param) accesses(which func(Access) bool) bool {
	for _, a := range p.Accesses {
		if which(a) {
			return true
		}
	}
	return false
}

// Inert tells whether nothing at all happens through the parameter: it is a number,
// or a pointer that the function does not follow.
func (p *Param) Inert() bool {
	return len(p.Accesses) == 0 && !p.Frees && !p.FreesBelow && len(p.Retains) == 0 && len(p.Calls) == 0 &&
		!p.Passed && p.Format == NoFormat && !p.VaList && p.Handle == ""
}

func contains[T comparable](list []T, x T) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}
