package interp

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"comus/cir"
)

// Options say how a program is run. The zero value runs it with an empty input until it ends.
type Options struct {
	Args  []string  // of main; none: its name is "program"
	Stdin io.Reader // what ReadIn reads; nil: nothing
	// Stdout and Stderr get what is written as it is written, besides the Result.
	Stdout, Stderr io.Writer
	// Scheduler chooses threads; nil: [RoundRobin] of 1000 steps.
	Scheduler Scheduler
	// Nondet gives inputs: the low bits of a value of the type; nil: all are 0. The name is that of [cir.Nondet].
	Nondet func(name string, t cir.Type) (lo, hi uint64)
	// External is asked for functions without a body; nil: a call of one ends the run.
	External External
	// Instead are functions of the library that External is asked for although they have a body: their models say less than it knows. What
	// it says that it does not know, the model does.
	Instead map[string]bool
	// Global may fill an object that is declared and defined nowhere; nil: it is 0, as noted.
	Global func(m *Machine, g *cir.Global, p Value) error
	// GoOn continues after what C leaves undefined, where gcc's unoptimised code does: signed overflow
	// wraps around, shift distances are taken modulo the width (32 or 64), conversions
	// out of range are those of the processor, calls may disagree with the function, indeterminate values may be
	// used, subscripts leave the array (but not the object). The Result notes it.
	GoOn bool
	// Calls lets calls disagree with the function in what machines do not mind: there may be more arguments than it takes, and the result, if it
	// is no struct and no float, may have another type. The Result notes it.
	Calls bool
	// Unset lets indeterminate values decide: memory that nobody has written holds some value, the same in each run. The Result notes where such a scalar
	// is loaded, as Reads defines it (CheckRead).
	Unset bool
	// Zeros has each byte that nobody has written be 0, as it often is in memory that a process has just got; otherwise it is 0xA5, which seldom makes sense.
	Zeros bool
	// Races finds the data races of the run: see [Race]. StopAtRace ends the run, with [Raced], at the first.
	Races, StopAtRace bool
	// StopAt is asked about each race that is found; the run ends, with [Raced], if it says so. May be nil.
	StopAt func(*Race) bool
	// Before is called when a thread comes to one of the instructions Watched, but not in atomic sections: how many steps of its turn it has
	// taken, and whether the Scheduler has given it the turn, as it does where there is a choice. The turn ends there if it says so.
	Before  func(thread int, in cir.Instr, taken int64, given bool) (stop bool)
	Watched map[cir.Instr]bool
	// Tracer is told what the run does; may be nil.
	Tracer Tracer
	// Observer is told what other threads may notice; may be nil.
	Observer Observer
	// Atomics lets atomic accesses read what a weak memory model lets them, and stops threads at idle loops; needs Observer. Nil: memory is sequentially consistent.
	Atomics Atomics
	// Code keeps what is made of functions to run them, for the next runs; nil: each run makes its own.
	Code *Code
	// Leaks finds the objects of the heap that are left when the program exits: see [Leak].
	Leaks bool
	// Reads makes it undefined to load a scalar of which a bit is indeterminate, even if it decides nothing, unless the value is
	// only copied ([cir.Idle]).
	Reads bool
	// Circles ends the run with [Deadlock] when threads wait for one another's locks in a circle, though others may go on.
	Circles bool
	// Handlers has the handlers of signals interrupt threads, as they do: between two steps of one that has not blocked the signal, and to their ends before it goes on. Which one is given by
	// Nondet. Otherwise, and where no thread can be interrupted, a handler runs as a thread of its own, as the models have it, which is approximate.
	Handlers bool
	// Victim, with Handlers, says which of the threads that may be interrupted now a handler interrupts; if none of these, the handler has to wait, and asks again. May be nil.
	Victim func(handler int, able []int) int
	// Held notes which locks threads hold, for [Side.Held] and [Wait.Held].
	Held bool
	// Wakeups is what the intrinsic of this name gives: 1 lets a wait on a condition variable end only when it is signalled;
	// otherwise it may end at any time.
	Wakeups int
	// Limits; 0: 2^62 steps, 4 GB of memory in use, 64 MB of output, 100,000 activations.
	MaxSteps, MaxMemory, MaxOutput int64
	// Abrupt ends a run at MaxSteps at once: no thread that waits tries whether it could go on.
	Abrupt   bool
	MaxDepth int
}

// External performs a call of a function without a body. If it does not know the function, it says so.
type External func(m *Machine, name string, args []Value) (result Value, known bool, err error)

// Outcome is how a run ends.
type Outcome uint8

// The outcomes.
const (
	Exited      Outcome = iota // with the status Result.Exit
	Aborted                    // Trap
	AssertFails                // Assert
	Undefined                  // what C leaves undefined
	Assumed                    // Assume does not hold: the execution is none of the program
	Deadlock                   // no thread can go on, or, with Options.Circles, some that wait for one another
	Missing                    // a function without a body, named by Why, was called
	Limit                      // of steps, memory, output or depth
	Raced                      // there is a data race, and Options.StopAtRace
)

var outcomes = [...]string{"exited", "aborted", "assertion fails", "undefined", "assumption does not hold", "deadlock",
	"missing function", "limit", "data race"}

// String returns the outcome in words.
func (o Outcome) String() string {
	if int(o) < len(outcomes) {
		return outcomes[o]
	}
	return fmt.Sprintf("outcome %d", o)
}

// The properties that what is undefined belongs to, besides those that the intrinsic Undefined names.
const (
	CheckMemory     = "memory"             // out of bounds, null, after the end of a life, free
	CheckUninit     = "uninitialised"      // an indeterminate value decides something
	CheckRead       = "uninitialised read" // with Options.Reads
	CheckTrap       = "trap"               // a _Bool that is neither 0 nor 1
	CheckOverflow   = "overflow"           // of signed integers
	CheckShift      = "shift"
	CheckBits       = "bits" // the first bit of 0 is asked for
	CheckDivision   = "division"
	CheckConversion = "conversion" // of a float to an integer that does not hold it
	CheckBounds     = "bounds"     // a subscript outside of its array, within the object
	CheckConst      = "const"
	CheckCall       = "call" // a call that does not fit the function, va_arg, longjmp
	CheckUnreached  = "unreachable"
)

// A Note is something that was seen on the way and did not end the run.
type Note struct {
	Check string // of what is undefined; "approximate" or "assumption"
	Why   string
	Site  *cir.Site
	Count int64
}

// Signal is the name by which it is asked whether a signal comes that has a handler, with Options.Handlers.
const Signal = "signal"

// A Result is how a run ended and what it did.
type Result struct {
	Outcome Outcome
	Exit    int // of Exited: 0 to 255
	Check   string
	Why     string
	Site    *cir.Site // where it ended; may be nil
	Func    string    // in which function
	Thread  int
	Stdout  []byte
	Stderr  []byte
	Steps   int64
	Threads int // that were created
	// Alone is how many of the steps were taken before the scheduler had a choice, other than to deliver a signal; 0: it had none.
	Alone int64
	Notes []Note
	// Approximate is set if a result that the run depends on may differ from the C library's or the processor's.
	Approximate bool
	Races       []Race // each pair of places once
	// Unjudged is set if there may be more: with Wakeups, the library's own accesses of who waits are not judged.
	Unjudged bool
	// Leaks are set if the run Exited.
	Leaks []Leak
	// Waits says, of a Deadlock, what each thread that has not ended waits for. Otherwise they are threads that wait for one another
	// for good, while others went on.
	Waits []Wait
	// Uninitialised is set if an indeterminate value decided something.
	Uninitialised bool
	// Interrupted is set if a handler of signals has interrupted a thread ([Options.Handlers]).
	Interrupted bool
	// Failed is, of AssertFails and Undefined, where that is in the program, and how the thread came there: its creations are known only with Options.Races.
	Failed *Side
	// About is, of Undefined by an access to an object of the heap, that object, if Options.Races is set; nil: there is none.
	About *HeapObject
}

// HeapObject is an object of the heap: where it was allocated, of which the thread is not known, and where it was freed; nil: it was not.
type HeapObject struct {
	Size        int64
	Born, Freed *Side
}

// Status is what a shell would call the run's end: the exit code, 134 for abort and failed assertions.
func (r *Result) Status() int {
	switch r.Outcome {
	case Exited:
		return r.Exit
	case Aborted, AssertFails:
		return 134
	}
	return -1
}

// String describes the end of the run in a line.
func (r *Result) String() string {
	s := r.Outcome.String()
	switch r.Outcome {
	case Exited:
		return s + " " + strconv.Itoa(r.Exit)
	case Undefined:
		s += " (" + r.Check + ")"
	}
	if r.Why != "" {
		s += ": " + r.Why
	}
	site, in := r.place()
	if site != nil {
		s += " at " + site.Pos.String()
		if site.Text != "" {
			s += " " + site.Text
		}
	}
	if in != "" {
		s += " in " + in
	}
	return s
}

// place returns where a run ended, and in which function: in the program, where that is known, rather than in the library that it has called.
func (r *Result) place() (site *cir.Site, in string) {
	if r.Failed != nil && r.Failed.Site != nil {
		return r.Failed.Site, r.Failed.Func
	}
	return r.Site, r.Func
}

// Misuse says, of Undefined, what the program did that C leaves undefined, and where.
func (r *Result) Misuse() string {
	site, _ := r.place()
	if site == nil {
		return r.Why
	}
	return strings.TrimSpace(fmt.Sprintf("%s at %s %s", r.Why, site.Pos, site.Text))
}

// limit is panicked with where memory ends; Run catches it.
type limit string

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func errorf(format string, args ...any) error { return fmt.Errorf("cir/interp: "+format, args...) }
