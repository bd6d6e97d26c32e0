package values_test

import (
	"testing"

	"comus/internal/randrel"
	"comus/scan/values"
)

// TestRelations has pairs of programs: the assertions of the first are proved, those of the second are not.
func TestRelations(t *testing.T) {
	for _, c := range randrel.Pairs {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for _, x := range analysed(t, randrel.LocksAndSections+c.Proved, values.Options{}).Assertions() {
				if !x.Proved {
					t.Errorf("%s: %s is not proved: %s", x.Site.Pos, x.Instr.Name, x.Reason)
				}
			}
			open := 0
			for _, x := range analysed(t, randrel.LocksAndSections+c.Open, values.Options{}).Assertions() {
				if !x.Proved {
					open++
				}
			}
			if open == 0 {
				t.Errorf("proved, but false: %s", c.Open)
			}
		})
	}
}
