package affine

import (
	"slices"

	"comus/logic"
)

// sum is a linear term: coefficients of variables, and a constant.
type sum struct {
	of    map[*logic.Term]int64
	plain int64
}

// linear returns a term as a sum; false if it is none.
func linear(t *logic.Term) (sum, bool) {
	s := sum{of: map[*logic.Term]int64{}}
	return s, s.add(t, 1)
}

// add adds a multiple of a term.
func (s *sum) add(t *logic.Term, by int64) bool {
	args := t.Args()
	switch t.Op() {
	case logic.OpInt:
		k, ok := small(t)
		p, fits := times(k, by)
		s.plain += p
		return ok && fits && abs(s.plain) < limit
	case logic.OpVar:
		s.of[t] += by
		return abs(s.of[t]) < limit
	case logic.OpAdd:
		return !slices.ContainsFunc(args, func(a *logic.Term) bool { return !s.add(a, by) })
	case logic.OpMul:
		if k, ok := small(args[0]); ok && len(args) == 2 {
			p, fits := times(k, by)
			return fits && s.add(args[1], p)
		}
	case logic.OpIte:
		if x := unwrapped(args[1], args[2]); x != nil {
			return s.add(x, by)
		}
	case logic.OpMod:
		if k, ok := small(args[1]); ok && k >= leastWidth && k&(k-1) == 0 {
			return s.add(args[0], by)
		}
	}
	return false
}

// small returns a constant that is small enough to compute with.
func small(t *logic.Term) (int64, bool) {
	k, ok := t.Const()
	n, fits := k.Int64()
	return n, ok && fits && abs(n) < limit
}

// leastWidth is the number of values of the smallest type that wraps around.
const leastWidth = 1 << 8

// unwrapped returns which of two terms is a sum that does not wrap around, if the other one is the same sum that does; nil if not.
func unwrapped(x, y *logic.Term) *logic.Term {
	a, okA := linear(x)
	b, okB := linear(y)
	if !okA || !okB {
		return nil
	}
	for v, k := range a.of {
		if b.of[v] != k {
			return nil
		}
	}
	if width := abs(a.plain - b.plain); len(a.of) != len(b.of) || len(a.of) == 0 || width < leastWidth || width&(width-1) != 0 {
		return nil
	}
	if abs(a.plain) < abs(b.plain) {
		return x
	}
	return y
}
