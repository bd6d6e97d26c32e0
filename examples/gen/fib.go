package gen

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// chainMaximum returns the largest value of v[0] in a chain of fib: sums only
// grow, so it comes from running the threads from the last to the first, each of
// which then ends with 1 plus its iterations times the next one's number.
func chainMaximum(threads, iterations int) *big.Int {
	n := big.NewInt(int64(iterations))
	v := big.NewInt(1)
	for range threads {
		v.Mul(v, n)
		v.Add(v, big.NewInt(1))
	}
	return v
}

// ringWork bounds the search of ringMaximum.
const ringWork = 1_000_000

// errLarge is that a number is larger than an int.
var errLarge = errors.New("the numbers do not fit an int")

// ringMaximum returns the largest value of v[0] in a ring of fib, or an error if the
// search would take too long or the numbers become too large.
//
// Numbers only grow, and larger ones give larger sums. So a sum is largest when
// read and written at once (one step, at the time of the write), and of two states
// with the same steps done, one whose numbers are nowhere larger can be dropped.
func ringMaximum(threads, iterations int) (*big.Int, error) {
	layer := map[string]*ringStates{}
	start := &ringStates{done: make([]int, threads)}
	start.add(slices.Repeat([]int64{1}, threads))
	layer[fmt.Sprint(start.done)] = start
	work := 0
	for range threads * iterations {
		next := map[string]*ringStates{}
		for _, s := range layer {
			for i := range threads {
				if s.done[i] == iterations {
					continue
				}
				done := slices.Clone(s.done)
				done[i]++
				key := fmt.Sprint(done)
				if next[key] == nil {
					next[key] = &ringStates{done: done}
				}
				for _, v := range s.values {
					w := slices.Clone(v)
					w[i] += w[(i+1)%threads]
					work++
					switch {
					case w[i] > math.MaxInt32:
						return nil, errLarge
					case work > ringWork:
						return nil, fmt.Errorf("a ring of %d threads with %d iterations is too large to compute its maximum", threads, iterations)
					}
					next[key].add(w)
				}
			}
		}
		layer = next
	}
	largest := int64(0)
	for _, s := range layer { // there is one: all is done
		for _, v := range s.values {
			largest = max(largest, v[0])
		}
	}
	return big.NewInt(largest), nil
}

// ringStates are the states of a ring in which each thread has done some number of
// its additions.
type ringStates struct {
	done   []int
	values [][]int64 // none is below another one
}

// add adds a state, unless another one is at least as good, and drops those that
// are not as good.
func (s *ringStates) add(v []int64) {
	below := func(a, b []int64) bool {
		for i := range a {
			if a[i] > b[i] {
				return false
			}
		}
		return true
	}
	for _, w := range s.values {
		if below(v, w) {
			return
		}
	}
	s.values = slices.DeleteFunc(s.values, func(w []int64) bool { return below(w, v) })
	s.values = append(s.values, v)
}
