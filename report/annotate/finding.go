// Package annotate puts what comus has found into the forms that other programs show beside the source: SARIF 2.1.0 for
// services that scan code ([Log]), and lines like gcc's for editors ([GCC]).
//
// Both show the same: a [Finding], which is a place where a property of the program is violated, with the execution that
// leads there. The execution is one of several threads, and so in SARIF one code flow with a thread flow for each thread,
// whose steps are numbered in the order of the whole execution. If a weak memory model allows the execution, and no turns of the
// threads bring it about, there is no such order: the steps have no numbers, and the flow says so.
//
// What is written are a few structs of our own: the kept libraries for SARIF write a dozen empty fields for each step. The
// tests read it with such a library, which has the schema of the standard.
package annotate

import (
	"cmp"
	"fmt"
	"strings"
)

// Finding is a violation of a property.
type Finding struct {
	Property string // as --check names it
	// Suspected tells that the execution depends on Approximations: it may not be one of the program.
	Suspected      bool
	Approximations []Approximation
	// Unproved says of what an analysis suspects, without an execution, why it could not exclude it; "" otherwise.
	Unproved string
	// Suppressed is the reason that a comment in the source gives for it to be none of anybody's concern, "" if there is none.
	Suppressed string
	// Fingerprint is the same for the same problem in another version of the program; if it is "", [Log.Write] makes one.
	Fingerprint string
	// Baseline tells whether it was known before; "" if nobody asked.
	Baseline Baseline
	// Location is where the property is violated, and Text how.
	Location
	// Involved are the threads of a race or a deadlock.
	Involved []Involved
	Steps    []Step
	// Weak is the memory model that allows the execution, if it is not sequentially consistent: "c11". Then there is no order of all its steps that says what each of them reads.
	Weak string
	// Notes are sentences about the execution: which memory orders let it happen, say.
	Notes []string
}

// Baseline is what SARIF says of a finding in comparison with those that were known before.
type Baseline string

// The comparisons.
const (
	New       Baseline = "new"
	Unchanged Baseline = "unchanged"
)

// Location is a place of a thread, and how control came there.
type Location struct {
	Thread string // "1 serve"
	Place
	Text string
	// Calls led there, innermost first, and Created to the creation of the thread.
	Calls, Created []Call
}

// Place is one in a source file. Line and Column begin at 1; 0 is not known, and so is a file without a name.
type Place struct {
	File         string
	Line, Column int // Column counts bytes
}

// Call is a place in a function; in one of the library none.
type Call struct {
	Function string
	Place
}

// Involved is the part of a thread in a race or a deadlock.
type Involved struct {
	Location
	Verb  string   // what it does there, if that is known: "reads"
	Waits bool     // it does not access there
	Held  []string // locks
	// HeldUnknown: which ones is not known.
	HeldUnknown bool
}

// Places returns where the threads involved stand; of a finding without such, where the property is violated.
func (f *Finding) Places() []Place {
	var out []Place
	for _, x := range f.Involved {
		out = append(out, x.Place)
	}
	if out == nil {
		out = []Place{f.Place}
	}
	return out
}

// does says what the thread does there.
func (x Involved) does() string {
	verb, held := cmp.Or(x.Verb, "accesses"), "no lock"
	if x.Waits {
		verb = "waits in"
	}
	if len(x.Held) > 0 {
		held = strings.Join(x.Held, ", ")
	}
	if x.HeldUnknown {
		return fmt.Sprintf("thread %s %s %s", x.Thread, verb, x.Text)
	}
	return fmt.Sprintf("thread %s %s %s, holding %s", x.Thread, verb, x.Text, held)
}

// Step is one of an execution.
type Step struct {
	Thread string
	Place
	Text    string
	Effect  string // on values, in words
	Changes []Change
}

// String returns the statement and what it does.
func (s Step) String() string {
	if s.Effect == "" {
		return s.Text
	}
	return s.Text + " (" + s.Effect + ")"
}

// Change is a variable with its new value.
type Change struct{ Variable, New string }

// Approximation is a part of the program that comus does not read exactly.
type Approximation struct {
	Name string
	At   string // file:line:column, "" if it is not known
}

// String returns its name and place.
func (a Approximation) String() string {
	if a.At == "" {
		return a.Name
	}
	return fmt.Sprintf("%s (%s)", a.Name, a.At)
}

// maybe tells whether it may turn out to be impossible.
func (f *Finding) maybe() bool { return f.Suspected || f.Unproved != "" }

// headline says what has been found, in one line.
func (f *Finding) headline() string {
	if f.Unproved != "" {
		return f.Text + ": " + f.Unproved
	}
	text := fmt.Sprintf("%s in thread %s", f.Text, f.Thread)
	if !f.Suspected {
		return text
	}
	var on []string
	for _, a := range f.Approximations {
		on = append(on, a.String())
	}
	return fmt.Sprintf("perhaps %s: it depends on %s", text, strings.Join(on, ", "))
}
