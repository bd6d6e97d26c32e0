// Package cfront turns C programs with POSIX threads into the intermediate
// representation of package ir.
//
// # Phases
//
// Reading (read.go, scan.go): the file is read with a size limit and scanned
// for nesting that would exhaust a recursive-descent parser. GNU line markers
// of preprocessed files become #line directives.
//
// Parsing (parse.go): modernc.org/cc/v4 preprocesses, parses and type-checks,
// with headers embedded in this package (folder include): neither a host
// compiler nor host headers are needed.
//
// Analysis (program.go): functions and globals are collected; globals that only
// the main thread can touch are told apart from shared ones.
//
// Lowering (lower.go and the rest): starting with main, each thread's code is
// turned into a control-flow graph. Calls are inlined, loops with constant
// bounds unrolled, arrays and structs taken apart into scalar variables, and
// pointers followed to the objects they point to. Each pthread_create met on
// the way starts one more thread, lowered in turn.
// A call of a function within itself is inlined up to a bound, unless the function
// calls itself last, which is a loop.
//
// Finishing (finish.go): unreachable locations and unused variables go, the
// rest is numbered and becomes an ir.Program, which is checked: a broken one is an
// [InternalError].
//
// # Evaluation
//
// Expressions become terms over the program's variables; a term is evaluated by
// the edge that uses it. As a step touches one shared location only, a value
// that waits while another shared location is read, or while something it
// depends on is written, is first copied to a temporary by an edge of its own
// ([lowerer.settle]). Evaluation goes from left to right.
//
// # Pointers and memory
//
// A pointer is followed to its one target where that is known (a [vPtr] value). All
// others are integers, the constant addresses of bytes of objects (address.go), with
// the set of what they may point to (targets.go); an access through them chooses
// among the cells of these objects by the address. Which cells hold such pointers,
// and to what, turns out while lowering, which starts anew until nothing new turns
// up. Each call of malloc is an object, or a bounded number of them in a loop
// (heap.go). What an access to anything else does is assumed not to happen, or an
// error (memcheck.go).
//
// # Flow-sensitive facts
//
// A [flow] is a point of control together with what is known there: constant
// values of thread-local variables, targets of pointers, and the depth of
// atomic sections. Where control meets, facts that agree are kept; at the head
// of a loop everything the loop may change is forgotten first.
//
// What the package does not support it rejects with an [Error] that names the
// construct and its place.
package cfront

import (
	"fmt"
	"strings"

	"comus/ir"
)

// DataModel fixes the widths of C's integer types.
type DataModel int

// The data models.
const (
	LP64  DataModel = iota // long and pointers have 64 bits
	ILP32                  // int, long and pointers have 32 bits
)

// Overflow tells what signed overflow does, which C leaves undefined.
type Overflow int

// The treatments of signed overflow.
const (
	OverflowAssume Overflow = iota // it does not happen; the program says so in Assumptions
	OverflowCheck                  // it is an error
	OverflowWrap                   // it wraps around in two's complement
)

// Options configure the front end. The zero value is ready to use.
type Options struct {
	DataModel DataModel
	Overflow  Overflow
	// AtomicStatements makes each statement without calls one step.
	AtomicStatements bool
	// MaxThreads bounds the iterations of a loop that creates threads and
	// cannot be unrolled completely. 0 means 3.
	MaxThreads int
	// MaxAllocs bounds the objects that a call in a loop that is not unrolled
	// allocates. 0 means 3.
	MaxAllocs int
	// Unwind bounds the calls of one recursive function within one another. 0
	// means 8.
	Unwind int
	// Check says which misuse is an error of the program.
	Check Checks
	// UnrollLimit bounds the iterations of a loop with constant bounds that is
	// unrolled. 0 means 64.
	UnrollLimit int
	// Parametric makes one replicated thread (see [ir.Program.Replicated]) of the
	// threads that a pthread_create starts which is passed any number of times:
	// the program has more executions than the source, and is for proofs of SAFE
	// only. What would not be an over-approximation is rejected.
	Parametric bool
	// MaxFileSize bounds the size of each source file in bytes. 0 means 8 MiB.
	MaxFileSize int64
}

func (o Options) withDefaults() Options {
	if o.MaxThreads <= 0 {
		o.MaxThreads = 3
	}
	if o.MaxAllocs <= 0 {
		o.MaxAllocs = 3
	}
	if o.Unwind <= 0 {
		o.Unwind = 8
	}
	if o.UnrollLimit <= 0 {
		o.UnrollLimit = 64
	}
	if o.MaxFileSize <= 0 {
		o.MaxFileSize = 8 << 20
	}
	return o
}

// Checks are the kinds of misuse that are errors of the program, on request. What
// is not checked is assumed absent, and the program's Assumptions say so.
type Checks struct {
	Memory bool // dereference of null, freed or out-of-bounds memory
	Locks  bool // locks taken again by their holder, or released by another thread
}

// CheckNames are the names of all checks.
var CheckNames = []string{"memory", "locks"}

// ChecksNamed returns the checks with these names.
func ChecksNamed(names []string) (Checks, error) {
	var c Checks
	for _, n := range names {
		switch n {
		case "memory":
			c.Memory = true
		case "locks":
			c.Locks = true
		default:
			return Checks{}, fmt.Errorf("no check is called %q: there are %s", n, strings.Join(CheckNames, ", "))
		}
	}
	return c, nil
}

// Names returns the names of the checks, in the order of CheckNames.
func (c Checks) Names() []string {
	var names []string
	if c.Memory {
		names = append(names, "memory")
	}
	if c.Locks {
		names = append(names, "locks")
	}
	return names
}

// Error is why a program was rejected.
type Error struct {
	Pos  ir.Pos
	Msg  string
	Hint string // what to do about it, or ""
}

// Error returns "file:line:col: message (hint: ...)" in one line.
func (e *Error) Error() string {
	s := e.Msg
	if e.Pos != (ir.Pos{}) {
		s = e.Pos.String() + ": " + s
	}
	if e.Hint != "" {
		s += " (hint: " + e.Hint + ")"
	}
	return oneLine(s)
}

// InternalError is a bug of this package: what it built from a program is broken
// in the sense of [ir.Program.Check].
type InternalError struct {
	File string
	Msg  string // what is broken
}

// Error says what is broken and asks for a report.
func (e *InternalError) Error() string {
	return oneLine(fmt.Sprintf("internal error: %s: %s (this is a bug: please report it, with the program)", e.File, e.Msg))
}

// Result is a program with what the front end has to say about it.
type Result struct {
	Program  *ir.Program
	Warnings []string // "file:line:col: warning: ..."
	// HasAssertions tells whether the program contains something that can fail.
	HasAssertions bool
	// BoundedThreads tells whether a larger Options.MaxThreads could make more
	// executions part of the program.
	BoundedThreads bool
}

// oneLine replaces line breaks and other white space by single blanks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func errorf(pos ir.Pos, format string, args ...any) *Error {
	return &Error{Pos: pos, Msg: fmt.Sprintf(format, args...)}
}
