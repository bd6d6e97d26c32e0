package specialise

import (
	"fmt"
	"slices"
	"strings"

	"comus/cir"
	"comus/ir"
	"comus/memory"
)

// Overflow tells what signed overflow does, which C leaves undefined.
type Overflow int

// The treatments of signed overflow.
const (
	OverflowAssume Overflow = iota // it does not happen; the program says so in Assumptions, unless it is an error (Checks.Overflow)
	OverflowWrap                   // it wraps around in two's complement
)

// Options say which question is asked, and within which bounds. The zero value is ready to use.
type Options struct {
	Overflow Overflow
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
	// UnrollLimit bounds the iterations of a loop with constant bounds that is
	// unrolled. 0 means 64.
	UnrollLimit int
	// Parametric makes one replicated thread (see ir.Program.Replicated) of the threads that a creation which is
	// passed any number of times makes: the program has more executions than the source, and is for proofs of
	// SAFE only. It implies Open.
	Parametric bool
	// Open takes memory whose size is not known for memory that may hold anything, instead of bounding it: the
	// program has more executions than the source, and is for proofs of SAFE only.
	Open bool
	// Cells shows one cell of each array that is accessed at an index which is not constant: see ir.Program.Cells. The program
	// is for proofs of SAFE only, of assertions.
	Cells bool
	// Memory is what memory orders mean. Programs are taken apart for sequential consistency whatever it is, and say so (AssumeOrder) where that makes a difference.
	Memory memory.Model
	// Orders shows the events of a memory model: see ordered.go. It is for assertions and overflows.
	Orders bool
	// NoSummaries takes memory that is allocated any number of times for memory that may hold anything, see summary.go.
	NoSummaries bool
	// AnyReads are the places of relaxed atomic reads, with commas, that return any value: see [Options.ReadsAny]. The program has more executions than the source.
	// Where validity of memory is asked about there are none: a read may return what nobody has written, which is an error, and no value.
	AnyReads string
	// Daemons are the functions, with commas, whose threads may wait for ever.
	Daemons string
	// Known are violations that are no errors any more, with newlines: [KnownAs] of their locations. What else there is is asked.
	Known string
	// Evident asks only whether races are evidently impossible: the error is [ErrNotEvident] as soon as it shows that they are not.
	Evident bool
	// About has the pairs of places, named by [About], which races are asked about, or the assertions that are, named by [AboutAssertions]; "": all.
	About string
	// Cut, with About, leaves out the effects of calls, up to a depth of package scan/cut: the program has more executions than the source, and is for proofs of
	// SAFE only.
	Cut int
	// Check says which properties are asked about; other misuse is assumed not to happen.
	Check Checks
}

// ReadsAny reports whether a read returns any value (AnyReads). Only relaxed atomic reads of numbers can.
func (o Options) ReadsAny(in *cir.Load) bool {
	if o.AnyReads == "" || !MayReadAny(in) {
		return false
	}
	return slices.Contains(strings.Split(o.AnyReads, ","), in.Site.Pos.String())
}

// MayReadAny reports whether Options.AnyReads can name a read.
func MayReadAny(in *cir.Load) bool {
	return in.Order == cir.Relaxed && in.Site != nil && !in.Dst.Type.IsPointer() && !strings.Contains(in.Site.Pos.File, ",")
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
	o.Open = o.Open || o.Parametric
	o.Cells = o.Cells && o.Parametric && o.Check == Checks{} && !o.AtomicStatements
	return o
}

// Result is the program for a question.
type Result struct {
	Program *ir.Program
	// HasAssertions tells whether something can fail, even if it turned out that it does not.
	HasAssertions bool
	// BoundedThreads tells whether a larger Options.MaxThreads could make more
	// executions part of the program.
	BoundedThreads bool
	Warnings       []string
	// Scalars are the variables that stand for scalars of static objects as they are.
	Scalars map[Scalar]*ir.Var
}

// Scalar is a scalar of a static object: its bytes.
type Scalar struct {
	Object    *cir.Global
	Off, Size int64
}

// Error is why a program cannot be taken apart: a limit was exceeded.
type Error struct {
	Pos cir.Pos
	Msg string
}

// Error returns "file:line:col: message" in one line.
func (e *Error) Error() string {
	s := strings.Join(strings.Fields(e.Msg), " ")
	if e.Pos == (cir.Pos{}) {
		return s
	}
	return fmt.Sprintf("%s: %s", e.Pos, s)
}

// Bounds of what is made.
const (
	maxWork      = 2_000_000 // edges made, those taken back included
	maxVars      = 200_000
	maxCells     = 4096   // scalars of one object, and places that a pointer may point to
	maxUnrolled  = 20_000 // locations of an unrolled loop
	maxJoinedOut = 24     // commands of an edge made of several
)
