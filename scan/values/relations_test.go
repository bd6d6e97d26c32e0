package values_test

import (
	"testing"

	"comus/internal/randrel"
)

// TestRelations has pairs of programs: the assertions of the first are proved, those of the second are not.
func TestRelations(t *testing.T) {
	for _, c := range randrel.Pairs {
		t.Run(c.Name, func(t *testing.T) { proves(t, randrel.LocksAndSections+c.Proved, randrel.LocksAndSections+c.Open) })
	}
}
