// Package sequentialize translates multi-threaded programs into sequential C programs
// whose assertions fail if and only if those of the original can, within bounds that
// depend on the method:
//
//   - lazy (package lazy): Lazy-CSeq, bounded loops and rounds;
//   - unbounded (package unbounded): UL-CSeq, no bounds;
//   - eager (package eager): Lal and Reps, bounded rounds.
//
// They work on the IR, not on the text: threads are already static, calls inlined, and
// each step touches one shared location. So the translations interrupt threads in the
// midst of statements, which the papers' tools do not. The C is for any sequential
// verifier; package cgen writes what they have in common.
package sequentialize

import (
	"fmt"
	"slices"
	"strings"

	"comus/ir"
	"comus/ir/cgen"
	"comus/sequentialize/eager"
	"comus/sequentialize/lazy"
	"comus/sequentialize/unbounded"
)

// Methods are the names of the methods.
var Methods = []string{"lazy", "unbounded", "eager"}

// The bounds of Options: no verifier comes near them.
const (
	maxUnwind = 100_000
	maxRounds = 1000
)

// Options choose and bound a translation.
type Options struct {
	Method string
	Unwind int // lazy: iterations of each loop; eager: the same, 0 for loops as they are
	Rounds int // lazy and eager: of the round-robin schedule
	Target cgen.Target
}

// Check tells whether the options make sense.
func (o Options) Check() error {
	fewest := 0
	if o.Method == "lazy" {
		fewest = 1
	}
	switch {
	case !slices.Contains(Methods, o.Method):
		return fmt.Errorf("there is no method %q: %s", o.Method, strings.Join(Methods, ", "))
	case o.Method != "unbounded" && (o.Rounds < 1 || o.Rounds > maxRounds):
		return fmt.Errorf("the number of rounds must be at least 1 and at most %d", maxRounds)
	case o.Unwind < fewest || o.Unwind > maxUnwind:
		return fmt.Errorf("loops must be unwound at least %d and at most %d times", fewest, maxUnwind)
	}
	return nil
}

// Translate returns the sequential program as C. The error is for programs that C cannot
// express or that become too large, and for options that make no sense.
func Translate(p *ir.Program, o Options) (string, error) {
	if err := o.Check(); err != nil {
		return "", err
	}
	switch o.Method {
	case "lazy":
		return lazy.Translate(p, lazy.Options{Unwind: o.Unwind, Rounds: o.Rounds, Target: o.Target})
	case "unbounded":
		return unbounded.Translate(p, unbounded.Options{Target: o.Target})
	}
	return eager.Translate(p, eager.Options{Unwind: o.Unwind, Rounds: o.Rounds, Target: o.Target})
}
