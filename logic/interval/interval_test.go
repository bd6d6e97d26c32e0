package interval_test

import (
	"testing"

	"comus/logic"
	"comus/logic/interval"
)

// TestEveryValue compares the bounds of each operation with its results on all pairs of
// values of small intervals.
func TestEveryValue(t *testing.T) {
	l := logic.NewStore()
	x, y := l.Var("x", logic.Int), l.Var("y", logic.Int)
	terms := map[string]*logic.Term{
		"sum": l.Add(x, y), "product": l.Mul(x, y), "quotient": l.Div(x, y), "remainder": l.Mod(x, y),
		"and": l.Bits(logic.OpBitAnd, x, y), "or": l.Bits(logic.OpBitOr, x, y), "xor": l.Bits(logic.OpBitXor, x, y),
		"left": l.Shift(logic.OpShl, x, y), "right": l.Shift(logic.OpShr, x, y),
		"choice": l.Ite(l.Le(x, y), x, l.Add(y, l.Int(10))),
		"less":   l.BoolToInt(l.Lt(x, y)), "equal": l.BoolToInt(l.Eq(x, y)),
	}
	ranges := [][2]int64{{-4, -2}, {-3, 3}, {0, 0}, {0, 5}, {2, 9}, {-1, 1}, {127, 130}}
	for name, term := range terms {
		for _, a := range ranges {
			for _, b := range ranges {
				in := func(r [2]int64) interval.Interval {
					return interval.Of(logic.IntValue(r[0]), logic.IntValue(r[1]))
				}
				e := interval.Evaluator{Bounds: func(v *logic.Term) interval.Interval {
					if v == x {
						return in(a)
					}
					return in(b)
				}}
				got := e.Int(term)
				for i := a[0]; i <= a[1]; i++ {
					for j := b[0]; j <= b[1]; j++ {
						env := map[*logic.Term]logic.Value{x: logic.IntValue(i), y: logic.IntValue(j)}
						v := logic.Eval(term, func(s *logic.Term) logic.Value { return env[s] })
						if !got.Contains(v.Big()) {
							t.Fatalf("%s of %d and %d is %s, not within %s..%s", name, i, j, v, got.Lo, got.Hi)
						}
					}
				}
			}
		}
	}
}

// TestTruth asks for formulas that bounds decide, or do not.
func TestTruth(t *testing.T) {
	l := logic.NewStore()
	x, u := l.Var("x", logic.Int), l.Var("u", logic.Int) // x is 1 to 4, u has no bounds
	e := interval.Evaluator{Bounds: func(v *logic.Term) interval.Interval {
		if v == x {
			return interval.Of(logic.IntValue(1), logic.IntValue(4))
		}
		return interval.Interval{}
	}}
	for _, c := range []struct {
		f         *logic.Term
		is, known bool
	}{
		{l.Le(x, l.Int(4)), true, true},
		{l.Le(x, l.Int(3)), false, false},
		{l.Le(x, l.Int(0)), false, true},
		{l.Eq(x, l.Int(5)), false, true},
		{l.Eq(x, l.Int(2)), false, false},
		{l.Ne(x, l.Int(7)), true, true},
		{l.Le(u, x), false, false},
		{l.And(l.Le(u, x), l.Eq(x, l.Int(9))), false, true},
		{l.Or(l.Le(u, x), l.Ge(x, l.Int(1))), true, true},
		{l.Or(l.Le(u, x), l.Eq(x, l.Int(9))), false, false},
		{l.Eq(l.Bits(logic.OpBitAnd, x, l.Int(16)), l.Int(16)), false, true},
	} {
		if is, known := e.Truth(c.f); is != c.is || known != c.known {
			t.Errorf("%s: %v %v, want %v %v", c.f, is, known, c.is, c.known)
		}
	}
}
