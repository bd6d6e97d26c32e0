package explore

import (
	"math"
	"math/rand/v2"
	"testing"

	"comus/logic"
)

// randomTerms makes terms over its variables.
type randomTerms struct {
	*logic.Store
	r    *rand.Rand
	vars []*logic.Term
}

func (g *randomTerms) number(depth int) *logic.Term {
	if depth == 0 {
		if g.r.IntN(4) == 0 {
			return g.Int(g.r.Int64N(9) - 3)
		}
		return g.vars[g.r.IntN(len(g.vars))]
	}
	a, b := g.number(depth-1), g.number(g.r.IntN(depth))
	switch g.r.IntN(9) {
	case 0:
		return g.Mul(a, b)
	case 1:
		return g.Div(a, b)
	case 2:
		return g.Mod(a, b)
	case 3:
		return g.Bits(logic.OpBitAnd+logic.Op(g.r.IntN(3)), a, b)
	case 4:
		return g.Shift(logic.OpShl+logic.Op(g.r.IntN(2)), a, b)
	case 5:
		return g.Ite(g.formula(depth-1), a, b)
	}
	return g.Add(a, b)
}

func (g *randomTerms) formula(depth int) *logic.Term {
	if depth == 0 {
		return g.Le(g.number(0), g.number(0))
	}
	switch g.r.IntN(6) {
	case 0:
		return g.And(g.formula(depth-1), g.formula(depth-1))
	case 1:
		return g.Or(g.formula(depth-1), g.formula(depth-1))
	case 2:
		return g.Iff(g.formula(depth-1), g.formula(depth-1))
	case 3:
		return g.Eq(g.number(depth-1), g.number(depth-1))
	case 4:
		return g.Not(g.formula(depth - 1))
	}
	return g.Le(g.number(depth-1), g.number(depth-1))
}

// TestCompiledTermsAgreeWithEval checks closures against logic.Eval on random
// terms and values: they give the same or report an overflow.
func TestCompiledTermsAgreeWithEval(t *testing.T) {
	s := logic.NewStore()
	g := &randomTerms{s, rand.New(rand.NewPCG(1, 2)), nil}
	c := &compiler{map[*logic.Term]int{}, map[*logic.Term]bool{}}
	for i, name := range []string{"a", "b", "c", "w"} {
		v := s.Var(name, logic.Int)
		g.vars = append(g.vars, v)
		c.index[v], c.wide[v] = i, name == "w"
	}
	extremes := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 32, -1, 0, 1, 2, 63, 64, 128, 129, 1 << 32, math.MaxInt64}
	exact := 0
	const rounds = 20_000
	for range rounds {
		num, form := g.number(1+g.r.IntN(4)), g.formula(1+g.r.IntN(4))
		m := &machine{vals: make([]int64, len(g.vars))}
		for i := range m.vals {
			m.vals[i] = g.r.Int64N(21) - 10
			if g.r.IntN(3) == 0 {
				m.vals[i] = extremes[g.r.IntN(len(extremes))]
			}
		}
		env := func(v *logic.Term) logic.Value {
			if i := c.index[v]; !c.wide[v] {
				return logic.IntValue(m.vals[i])
			} else if m.vals[i] >= 0 {
				return logic.IntValue(m.vals[i])
			}
			return logic.IntValue(math.MaxInt64).Add(logic.IntValue(m.vals[c.index[v]] - math.MinInt64 + 1))
		}
		if got := c.number(num)(m); !m.overflow {
			exact++
			if want := logic.Eval(num, env); want != logic.IntValue(got) {
				t.Fatalf("%s on %v: %d, want %s", num, m.vals, got, want)
			}
		}
		m.overflow = false
		if got := c.formula(form)(m); !m.overflow {
			if want := logic.Eval(form, env).Bool(); want != got {
				t.Fatalf("%s on %v: %t, want %t", form, m.vals, got, want)
			}
		}
	}
	if exact < rounds/4 {
		t.Errorf("only %d of %d evaluations stayed in int64", exact, rounds)
	}
}

func TestTreeSizeStops(t *testing.T) {
	s := logic.NewStore()
	x := s.Var("x", logic.Int)
	term := x
	for range 200 { // 2^200 as a tree
		term = s.Mul(s.Add(term, s.Int(1)), s.Add(term, s.Int(2)))
	}
	if n := treeSize(term, maxCompiled); n <= maxCompiled {
		t.Errorf("tree size %d", n)
	}
	if n := treeSize(s.Add(x, s.Int(1)), maxCompiled); n != 3 {
		t.Errorf("tree size of x + 1 is %d", n)
	}
}
