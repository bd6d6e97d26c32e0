package randprog

import (
	"strings"
	"testing"
)

// TestObserved checks the forms of a program that are compared with one another.
func TestObserved(t *testing.T) {
	for seed := range uint64(50) {
		p := New(seed, Options{Features: More | Basic})
		before := p.String()
		q := p.Publishing()
		running, denying := q.Running(), q.Denying(make([]int, len(q.observed)))
		switch {
		case p.String() != before:
			t.Errorf("seed %d: the program has changed", seed)
		case len(q.observed) < len(p.observed):
			t.Errorf("seed %d: less is observed", seed)
		case strings.Contains(running, " assert("), strings.Count(running, "observe(") != 2:
			t.Errorf("seed %d: an assertion in the program to run, or not one observation\n%s", seed, running)
		case strings.Count(denying, " assert(") != 1, strings.Contains(denying, "Y();"):
			t.Errorf("seed %d: not one assertion, or a call of Y\n%s", seed, denying)
		}
	}
}
