package logic

import "testing"

// TestFolding checks products under div and mod and operators on bits whose
// result is known without their operands.
func TestFolding(t *testing.T) {
	s := NewStore()
	x, y := s.Var("x", Int), s.Var("y", Int)
	i := s.Int
	for _, c := range []struct {
		name      string
		got, want *Term
	}{
		{"x ^ x", s.Bits(OpBitXor, x, x), i(0)},
		{"x & x", s.Bits(OpBitAnd, x, x), x},
		{"x | x", s.Bits(OpBitOr, x, x), x},
		{"x | 0", s.Bits(OpBitOr, x, i(0)), x},
		{"0 | x", s.Bits(OpBitOr, i(0), x), x},
		{"x & 0", s.Bits(OpBitAnd, x, i(0)), i(0)},
		{"x | -1", s.Bits(OpBitOr, x, i(-1)), i(-1)},
		{"x ^ -1", s.Bits(OpBitXor, x, i(-1)), s.Sub(i(-1), x)},
		{"x & 1", s.Bits(OpBitAnd, x, i(1)), s.Mod(x, i(2))},
		{"7 & x", s.Bits(OpBitAnd, i(7), x), s.Mod(x, i(8))},
		{"6x div 3", s.Div(s.Mul(i(6), x), i(3)), s.Mul(i(2), x)},
		{"-6x div 3", s.Div(s.Mul(i(-6), x), i(3)), s.Mul(i(-2), x)},
		{"3x div 6", s.Div(s.Mul(i(3), x), i(6)), s.Div(x, i(2))},
		{"6x mod 3", s.Mod(s.Mul(i(6), x), i(3)), i(0)},
		{"3x mod 6", s.Mod(s.Mul(i(3), x), i(6)), s.Mul(i(3), s.Mod(x, i(2)))},
		{"x << 31 >> 31", s.Div(s.Mod(s.Mul(i(1<<31), x), i(1<<32)), i(1<<31)), s.Mod(x, i(2))},
		{"xy div 2", s.Div(s.Mul(x, y), i(2)), s.Div(s.Mul(x, y), i(2))},
	} {
		if c.got != c.want {
			t.Errorf("%s = %s instead of %s", c.name, c.got, c.want)
		}
	}
	for _, k := range []int64{-7, -6, -1, 0, 1, 5, 6, 11} { // floor division by evaluation
		for _, f := range []int64{-6, -3, -2, 2, 3, 4, 6} {
			d, m := IntValue(k*f), IntValue(6)
			q, r := d.DivMod(m)
			sub := map[*Term]*Term{x: i(k)}
			if got := s.Subst(s.Div(s.Mul(i(f), x), i(6)), sub); got != s.Value(q) {
				t.Errorf("%d * %d div 6 = %s", f, k, got)
			}
			if got := s.Subst(s.Mod(s.Mul(i(f), x), i(6)), sub); got != s.Value(r) {
				t.Errorf("%d * %d mod 6 = %s", f, k, got)
			}
		}
	}
}
