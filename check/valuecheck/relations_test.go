package valuecheck_test

import (
	"testing"

	"comus/internal/randrel"
	"comus/scan/values"
)

// TestRelations has assertions confirmed that hold by what several variables have to do with each other, and others not.
func TestRelations(t *testing.T) {
	for _, p := range append(randrel.Pairs, more...) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			for i, src := range []string{p.Proved, p.Open} {
				s, err := analysedWith(t.Context(), randrel.LocksAndSections+src, values.Options{})
				if err != nil {
					t.Fatal(err)
				}
				r, err := s.check(t.Context())
				all := err == nil
				for _, a := range s.found.Assertions() {
					all = all && r.Confirmed[a.Instr]
				}
				if all == (i == 0) {
					continue
				}
				t.Errorf("%d: confirmed %v (%v)", i, all, err)
				if r != nil {
					t.Log(r.Open, r.Refused)
				}
			}
		})
	}
}

// more are pairs about what a certificate says of relations.
var more = []struct{ Name, Proved, Open string }{}
