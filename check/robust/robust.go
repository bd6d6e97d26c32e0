package robust

import (
	"fmt"

	"comus/cir"
	"comus/memory"
	"comus/scan/pointsto"
)

// Model is a memory model, and not sequential consistency.
type Model = memory.Model

// The models.
const (
	C11 = memory.RC11
	TSO = memory.TSO
	PSO = memory.PSO
)

// Program is what is known of threads: who knows that has verified it.
type Program interface {
	// Threads is how many identities of threads there are; number 0 is the thread that the program begins with.
	Threads() int
	// Many reports whether there may be several threads of an identity at a time.
	Many(t int) bool
	// Roots are the copies of functions that a thread runs, one after the other.
	Roots(t int) []pointsto.Copy
	// Calls returns what a call in a copy gets to when a thread makes it, functions that code outside calls back included.
	Calls(t int, c pointsto.Copy, call *cir.Call) []pointsto.Copy
	// Parallel reports whether neither of two instructions of different threads has to happen before the other one. What happens before must not hang on
	// what the two instructions themselves acquire or release.
	Parallel(t int, c pointsto.Copy, x cir.Located, u int, d pointsto.Copy, y cir.Located) bool
	// Known reports whether these are all threads that there are, and none of them interrupts another one as the handler of a signal does.
	Known() bool
}

// Reason is why a program is not known to be robust.
type Reason struct {
	// Cycle are accesses, two for each thread that takes part: the second one is after the first one in the thread, or happens after it, and before the first one of the next
	// thread by what the two have read and written. Empty: what is said is of the program as a whole.
	Cycle []Step
	Text  string
}

// Step is a part of a cycle: what one thread does.
type Step struct {
	First, Last *cir.Site
	// Reordered tells that the model lets others see the two in the other order.
	Reordered bool
}

// String returns the reason as a sentence.
func (r Reason) String() string {
	if len(r.Cycle) == 0 {
		return r.Text
	}
	s := r.Text
	for _, x := range r.Cycle {
		s += fmt.Sprintf("; %s, then %s", place(x.First), place(x.Last))
		if x.Reordered {
			s += " (may be seen in the other order)"
		}
	}
	return s
}

func place(s *cir.Site) string {
	if s == nil {
		return "an access"
	}
	return fmt.Sprintf("'%s' (%s)", s.Text, s.Pos)
}

// Verdict is what is known of a program.
type Verdict struct {
	// Robust tells that all executions are sequentially consistent as far as the program can observe.
	Robust bool
	Why    []Reason // if not
	// Assumes are sentences that this rests on.
	Assumes []string
}

// Check finds out whether a program is robust under a model. Premise: no sequentially consistent execution has a data race.
//
// The reads that any reports may return any value: the program is looked at as if they were not there. If it is robust then, the premise and the result are about the program in which they do. They have
// to be relaxed. nil: there are none.
func Check(p *cir.Program, pts *pointsto.Result, threads Program, m Model, any func(*cir.Load) bool) *Verdict {
	a := &analysis{prog: p, pts: pts, threads: threads, model: m, any: any}
	if !a.collect() {
		return &Verdict{Robust: true}
	}
	if a.left && a.fences {
		a.refuse(nil, "reads cannot be left out beside fences, which may order what follows them")
	}
	if a.why == nil {
		a.relate()
	}
	if a.why == nil {
		a.findControl()
		a.why = a.look()
	}
	if a.why != nil {
		return &Verdict{Why: []Reason{*a.why}}
	}
	v := &Verdict{Robust: true}
	if a.drawn {
		v.Assumes = append(v.Assumes, AssumeTickets)
	}
	if a.given {
		v.Assumes = append(v.Assumes, AssumeGive)
	}
	return v
}

// look looks for a cycle: with paths that are found quickly first.
func (a *analysis) look() *Reason {
	for _, narrow := range []bool{false, true} {
		a.connect(narrow)
		if a.why != nil {
			return a.why
		}
		if why := a.findCycle(); why == nil || narrow {
			return why
		}
	}
	return nil
}

// What is taken for granted where threads draw numbers to wait for their turns, and where they use locks of the library.
const (
	AssumeTickets = "a counter of 32 bits or more that only counts up does not wrap around"
	AssumeGive    = "a lock is given back by the thread that holds it, and neither destroyed, freed nor overwritten while it is held or waited for"
)

// analysis is what is known while a program is looked at.
type analysis struct {
	prog    *cir.Program
	pts     *pointsto.Result
	threads Program
	model   Model
	any     func(*cir.Load) bool // reads that may return any value; nil: none
	left    bool                 // there are some
	why     *Reason              // there is no proof

	codes    map[pointsto.Copy]*code // by copies
	runs     []*run                  // by threads
	accesses []*access
	places   map[placeKey]*access
	bodies   map[*cir.Func]*body
	spins    map[pointsto.Copy][]*spin
	putList  []put
	fences   bool // some thread may pass a fence
	drawn    bool // there is a ticket lock
	given    bool // there is a lock of the library
	control  *control
	paths    []path
	steps    int
}

// refuse notes that there is no proof.
func (a *analysis) refuse(in cir.Located, format string, args ...any) {
	if a.why != nil {
		return
	}
	text := fmt.Sprintf(format, args...)
	if in != nil && in.Meta().Site != nil {
		text = in.Meta().Site.Pos.String() + ": " + text
	}
	a.why = &Reason{Text: text}
}
