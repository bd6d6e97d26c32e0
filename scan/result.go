package scan

import (
	"time"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Result is what is known of a program's data races. Everything in it is in an order that depends on the program only.
type Result struct {
	Threads   []*Thread // the one that runs the program's entry first
	Locations []*Location
	// Assertions are those of all that the program may run, if Options.Values is set.
	Assertions []*Assertion
	// Deadlocks are the lock orders that may end in one, if Options.Orders is set.
	Deadlocks []*Deadlock
	// Assumptions are the sentences that all of this rests on, sorted: what functions without a body are taken to do, say.
	Assumptions []string
	// Unchecked says why nothing was verified of a certificate; "": it was looked at.
	Unchecked string
	// Phases tell what took how long, in the order they were run in.
	Phases []Phase
	// Funcs counts the functions with bodies that were analysed, Accesses the accesses of what threads share that were looked at.
	Funcs, Accesses int
	// Certificate has the claims that all of this follows from, its locations in the order of Locations; nil if it was not asked for. Its objects
	// and copies are those of Points, which is there for a certificate, and for assertions.
	Certificate *certificate.Certificate
	Points      *pointsto.Result
}

// Phase is a part of the analysis.
type Phase struct {
	Name string
	Took time.Duration
}

// Thread is an identity of threads: all that one creation makes, apart for each call of the function that creates them where that pays.
type Thread struct {
	Name string // its function's
	Func *cir.Func
	Site *cir.Site // of its creation; nil for the thread that the program begins with
	// Parent creates it; nil for the thread that the program begins with.
	Parent *Thread
	// Many tells that there may be more than one at a time.
	Many bool
}

// Why tells what excludes races at a location. Several of them may be needed together; the one that says most is given.
type Why uint8

// The reasons.
const (
	Suspected   Why = iota // none: there are suspects
	ReadOnly               // nobody writes it while there is more than one thread
	Atomic                 // all accesses that could meet are atomic
	Locked                 // a common lock
	Ordered                // creation and join order what could meet
	ThreadLocal            // only one thread accesses it at a time: it is that thread's own
)

// Location is a piece of memory that several threads may access: a variable, a member of a struct wherever it is, the elements of an array.
type Location struct {
	// Name is what a person calls it: "counter", "pool->jobs.front", "buf[…]".
	Name string
	// Object names what it is part of; Site is the place of its declaration or allocation, nil if nobody declared it.
	Object string
	Site   *cir.Site
	Type   string // as C writes it; may be ""
	// Why tells what excludes races, and Locks, for Locked, the names of the locks that all accesses have in common.
	Why      Why
	Locks    []string
	Accesses []*Access
	Suspects []*Suspect // none but for Suspected
	// More tells that there may be more suspects than are listed.
	More bool
	// Interrupts are pairs of an access by the handler of a signal, A, and one by a thread that it may interrupt, of what is neither atomic nor a volatile sig_atomic_t. They
	// are no races, but what is read is unspecified (C11 5.1.2.3p5).
	Interrupts []*Suspect
	// Hidden tells that it is state of the C library (strtok's, say), accessed by calls.
	Hidden bool
	// Life tells that it is whether the object still is there: who frees it writes, and who accesses it reads.
	Life bool
	// Certified tells that package check/scancheck has verified what is claimed, if somebody asked it.
	Certified bool
}

// Access is an access of a location by a thread.
type Access struct {
	Instr cir.Instr // a load, a store, …, or the call of a function of the library that accesses it
	Func  *cir.Func // with the instruction
	Site  *cir.Site // in the program's own code: that of the call for what the library does
	// Thread makes it.
	Thread        *Thread
	Write, Atomic bool
	// Locks names the locks that are held in any case, as a person would write them there.
	Locks []string
}

// Suspect is a pair of accesses that might be a race. A may be B: two threads of one identity.
type Suspect struct {
	Location *Location
	A, B     *Access // A writes
	// Reason says why it could not be excluded, and Help what would help, "" if there is nothing to say.
	Reason, Help string
	// Rank is higher for what is more likely real, from 0.
	Rank int
}

// RaceFree counts the locations that are race-free, and suspects.
func (r *Result) RaceFree() (free, suspects int) {
	for _, l := range r.Locations {
		if l.Why != Suspected {
			free++
		}
		suspects += len(l.Suspects)
	}
	return free, suspects
}

var whys = [...]string{
	Suspected:   "suspected",
	ReadOnly:    "only read",
	Atomic:      "atomic",
	Locked:      "locked",
	Ordered:     "ordered",
	ThreadLocal: "one thread's own",
}

// String returns what a report says.
func (w Why) String() string { return whys[w] }
