package smt_test

import (
	"math/rand/v2"
	"testing"

	"comus/logic"
	"comus/logic/interval"
	"comus/logic/smt"
	"comus/z3"
)

// vectorVars are the variables of random terms, with their bounds.
var vectorVars = []struct {
	name   string
	lo, hi int64
}{{"a", -128, 127}, {"b", 0, 255}, {"c", -3, 12}, {"d", 0, 1}, {"e", -70, -5}, {"f", 7, 7}}

// randomTerm makes a term over the variables.
func randomTerm(r *rand.Rand, l *logic.Store, depth int) *logic.Term {
	if depth == 0 || r.IntN(6) == 0 {
		if r.IntN(4) == 0 {
			return l.Int([]int64{0, 1, -1, 2, 8, 255, 256, 4294967296, -7}[r.IntN(9)])
		}
		return l.Var(vectorVars[r.IntN(len(vectorVars))].name, logic.Int)
	}
	a, b := randomTerm(r, l, depth-1), randomTerm(r, l, depth-1)
	switch r.IntN(12) {
	case 0:
		return l.Add(a, b)
	case 1:
		return l.Sub(a, b)
	case 2:
		return l.Mul(a, b)
	case 3:
		return l.Div(a, b)
	case 4:
		return l.Mod(a, b)
	case 5:
		return l.Mod(a, l.Int(1<<r.IntN(9)))
	case 6, 7:
		return l.Bits([]logic.Op{logic.OpBitAnd, logic.OpBitOr, logic.OpBitXor}[r.IntN(3)], a, b)
	case 8:
		return l.Shift(logic.OpShl, l.Mod(a, l.Int(16)), b)
	case 9:
		return l.Shift(logic.OpShr, a, b)
	case 10:
		return l.Mod(l.Shift(logic.OpShl, a, l.Mod(b, l.Int(64))), l.Int(1<<12))
	}
	return l.Ite(l.Le(a, b), b, l.Add(a, l.Int(1)))
}

// TestVectors compares the values of terms as vectors with those that logic computes,
// and the bounds with both.
func TestVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	l := logic.NewStore()
	converted := 0
	for range 150 {
		values := map[*logic.Term]logic.Value{}
		bounds := map[*logic.Term]interval.Interval{}
		var is []*logic.Term
		for _, v := range vectorVars {
			sym, val := l.Var(v.name, logic.Int), l.Int(v.lo+r.Int64N(v.hi-v.lo+1))
			values[sym], _ = val.Const()
			bounds[sym] = interval.Of(logic.IntValue(v.lo), logic.IntValue(v.hi))
			is = append(is, l.Eq(sym, val))
		}
		term := randomTerm(r, l, 1+r.IntN(3))
		want := logic.Eval(term, func(v *logic.Term) logic.Value { return values[v] })
		e := interval.Evaluator{Bounds: func(v *logic.Term) interval.Interval { return bounds[v] }}
		if in := e.Int(term); !in.Contains(want.Big()) {
			t.Fatalf("%s is %s with %v, not within %s..%s", term, want, values, in.Lo, in.Hi)
		}
		c, err := z3.NewContext(nil)
		if err != nil {
			t.Fatal(err)
		}
		vs := smt.NewVectors(c, e.Bounds)
		s := c.NewSimpleSolver()
		var fs []z3.Term
		for _, f := range is {
			fs = append(fs, vs.Formula(f))
		}
		// Equal, and in an order: two ways to compare.
		wrong := l.Or(l.Ne(term, l.Value(want)), l.Not(l.Le(term, l.Value(want))), l.Lt(term, l.Value(want)))
		s.Assert(append(fs, vs.Formula(wrong))...)
		s.Assert(vs.Side...)
		if vs.Err() == nil {
			converted++
			if st, err := s.Check(t.Context()); st != z3.Unsat {
				t.Fatalf("%s is %s with %v, as a vector it is not: %v %v", term, want, values, st, err)
			}
			s.Reset()
			s.Assert(append(fs, vs.Formula(l.Eq(term, l.Value(want))))...)
			s.Assert(vs.Side...)
			if st, err := s.Check(t.Context()); st != z3.Sat {
				t.Fatalf("%s is %s with %v, as a vector nothing: %v %v", term, want, values, st, err)
			}
		}
		c.Close()
	}
	if converted < 120 {
		t.Errorf("only %d terms converted", converted)
	}
}

// TestVectorsFail gives what has no bounds, or too many bits.
func TestVectorsFail(t *testing.T) {
	l := logic.NewStore()
	x := l.Var("x", logic.Int)
	wide := interval.Signed(400)
	for name, f := range map[string]struct {
		in   interval.Interval
		term *logic.Term
	}{
		"no bounds": {interval.Interval{}, l.Le(x, l.Int(1))},
		"too wide":  {wide, l.Le(l.Mul(x, x), l.Int(1))},
	} {
		c, err := z3.NewContext(nil)
		if err != nil {
			t.Fatal(err)
		}
		vs := smt.NewVectors(c, func(*logic.Term) interval.Interval { return f.in })
		vs.Formula(f.term)
		if vs.Err() == nil {
			t.Errorf("%s: no error", name)
		}
		c.Close()
	}
}
