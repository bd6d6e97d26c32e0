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
	"strings"

	"comus/ir"
	"comus/ir/cgen"
	"comus/sequentialize/eager"
	"comus/sequentialize/lazy"
	"comus/sequentialize/unbounded"
)

// Methods are the names of the methods.
var Methods = []string{"lazy", "unbounded", "eager"}

// Options choose and bound a translation.
type Options struct {
	Method string
	Unwind int // lazy: iterations of each loop; eager: the same, 0 for loops as they are
	Rounds int // lazy and eager: of the round-robin schedule
	Target cgen.Target
}

// Translate returns the sequential program as C. The error is for programs that C cannot
// express or that become too large, and for options that make no sense.
func Translate(p *ir.Program, o Options) (string, error) {
	if o.Method != "unbounded" && o.Rounds < 1 {
		return "", fmt.Errorf("the number of rounds must be at least 1")
	}
	switch o.Method {
	case "lazy":
		if o.Unwind < 1 {
			return "", fmt.Errorf("loops must be unwound at least once")
		}
		return lazy.Translate(p, lazy.Options{Unwind: o.Unwind, Rounds: o.Rounds, Target: o.Target})
	case "unbounded":
		return unbounded.Translate(p, unbounded.Options{Target: o.Target})
	case "eager":
		return eager.Translate(p, eager.Options{Unwind: o.Unwind, Rounds: o.Rounds, Target: o.Target})
	}
	return "", fmt.Errorf("there is no method %q: %s", o.Method, strings.Join(Methods, ", "))
}
