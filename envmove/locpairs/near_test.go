package locpairs

import (
	"slices"
	"testing"

	"comus/examples/gen"
	"comus/internal/genprog"
)

// TestNear finds neighbourhoods in a sum of a matrix with 5 rows: thread 0 is main,
// which creates the rows; each row waits for the next.
func TestNear(t *testing.T) {
	p := genprog.Program(t, "mat", gen.Options{Threads: 5, Columns: 2})
	for _, tt := range []struct {
		from, radius int
		want         []int
		pairs        int
	}{
		{1, 0, []int{0, 1}, 1},
		{1, 1, []int{0, 1, 2}, 3},
		{3, 1, []int{0, 2, 3, 4}, 5},
		{1, 9, []int{0, 1, 2, 3, 4, 5}, 9},
	} {
		near := Near(p, tt.from, tt.radius)
		var got []int
		for i, n := range near {
			if n {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, tt.want) || Pairs(p, near) != tt.pairs {
			t.Errorf("Near(%d, %d) = %v with %d pairs, want %v with %d", tt.from, tt.radius, got, Pairs(p, near), tt.want, tt.pairs)
		}
	}
}
