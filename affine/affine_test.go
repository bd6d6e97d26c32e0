package affine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"comus/logic"
)

// equalities solves clauses, and returns the equalities about a relation in a fixed order.
func equalities(t *testing.T, l *logic.Store, rels int, params []*logic.Term, of int, clauses ...Clause) []string {
	t.Helper()
	spaces, err := Solve(t.Context(), rels, clauses)
	if err != nil {
		t.Fatal(err)
	}
	if spaces[of] == nil {
		return []string{"empty"}
	}
	var out []string
	for _, x := range spaces[of].Equalities(l, params) {
		out = append(out, x.String())
	}
	return out
}

// TestCounts computes what is known of threads that are made, go inside, and end, and add 1 to x at their end.
func TestCounts(t *testing.T) {
	l := logic.NewStore()
	v := func(name string) *logic.Term { return l.Var(name, logic.Int) }
	x, made, before, inside, ended := v("x"), v("made"), v("before"), v("inside"), v("ended")
	all := []*logic.Term{x, made, before, inside, ended}
	inc := func(t *logic.Term, by int64) *logic.Term { return l.Add(t, l.Int(by)) }
	state := Atom{0, all}
	zero := slices.Repeat([]*logic.Term{l.Int(0)}, 5)
	got := equalities(t, l, 1, all, 0,
		Clause{Head: Atom{0, zero}},
		Clause{Body: []Atom{state}, Head: Atom{0, []*logic.Term{x, inc(made, 1), inc(before, 1), inside, ended}}},
		Clause{Body: []Atom{state}, Head: Atom{0, []*logic.Term{x, made, inc(before, -1), inc(inside, 1), ended}}},
		Clause{Body: []Atom{state}, Head: Atom{0, []*logic.Term{inc(x, 1), made, before, inc(inside, -1), inc(ended, 1)}}})
	want := []string{l.Sub(x, ended).String(), l.Sub(made, l.Add(before, inside, ended)).String()}
	if !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
}

// TestSolve looks at conditions, sums that wrap around, other terms, and what is not reached.
func TestSolve(t *testing.T) {
	l := logic.NewStore()
	x, y, z := l.Var("x", logic.Int), l.Var("y", logic.Int), l.Var("z", logic.Int)
	params := []*logic.Term{x, y}
	two := l.Mul(l.Int(2), x)
	wraps := l.Ite(l.Le(l.Int(255), x), l.Add(x, l.Int(-255)), l.Add(x, l.Int(1)))
	start := Clause{Head: Atom{0, []*logic.Term{l.Int(3), l.Int(3)}}}
	for _, tt := range []struct {
		name    string
		clauses []Clause
		want    []string
	}{
		{"nothing", nil, []string{"empty"}},
		{"a tuple", []Clause{start}, []string{l.Sub(x, l.Int(3)).String(), l.Sub(y, l.Int(3)).String()}},
		{"a condition", []Clause{{Conds: []*logic.Term{l.And(l.Eq(y, two), l.Le(x, y))}, Head: Atom{0, params}}}, []string{l.Sub(l.Mul(l.Int(2), x), y).String()}},
		{"conditions that exclude each other", []Clause{{Conds: []*logic.Term{l.Eq(x, l.Int(1)), l.Eq(l.Add(x, y), l.Int(3)), l.Eq(y, l.Int(1))}, Head: Atom{0, params}}}, []string{"empty"}},
		{"a sum that wraps around", []Clause{start, {Body: []Atom{{0, params}}, Head: Atom{0, []*logic.Term{wraps, l.Mod(l.Add(y, l.Int(1)), l.Int(1<<32))}}}}, []string{l.Sub(x, y).String()}},
		{"another term", []Clause{start, {Body: []Atom{{0, params}}, Head: Atom{0, []*logic.Term{l.Div(x, z), y}}}}, []string{l.Sub(y, l.Int(3)).String()}},
		{"the same term twice", []Clause{{Head: Atom{0, []*logic.Term{l.Div(x, z), l.Div(x, z)}}}}, []string{l.Sub(x, y).String()}},
		{"large numbers", []Clause{start, {Body: []Atom{{0, params}}, Head: Atom{0, []*logic.Term{l.Mul(l.Int(1<<61), x), l.Add(y, l.Int(1<<60))}}}}, nil},
	} {
		got := equalities(t, l, 1, params, 0, tt.clauses...)
		if !slices.Equal(got, tt.want) && (tt.want != nil || slices.Equal(got, []string{"empty"})) {
			t.Errorf("%s: %q instead of %q", tt.name, got, tt.want)
		}
	}
}

// TestCancelled ends a computation from outside.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := logic.NewStore()
	if _, err := Solve(ctx, 1, []Clause{{Head: Atom{0, []*logic.Term{l.Int(0)}}}}); err == nil {
		t.Error("no error")
	}
}

// dims is the number of variables of random programs, which have two locations.
const dims, locations = 4, 2

// randomClauses returns clauses of a random program, whose steps are affine, and runs of it.
func randomClauses(l *logic.Store, r *rand.Rand) (clauses []Clause, tuples [locations][][]int64) {
	var params []*logic.Term
	for i := range dims {
		params = append(params, l.Var(fmt.Sprintf("v%d", i), logic.Int))
	}
	type move struct {
		from, to int
		of       [dims][dims + 1]int64
	}
	var moves []move
	for range 2 + r.IntN(4) {
		m := move{from: r.IntN(locations), to: r.IntN(locations)}
		var args []*logic.Term
		for i := range dims {
			m.of[i][i] = 1
			if r.IntN(2) == 0 {
				m.of[i][r.IntN(dims)] = int64(r.IntN(3) - 1)
				m.of[i][dims] = int64(r.IntN(5) - 2)
			}
			sum := []*logic.Term{l.Int(m.of[i][dims])}
			for k, p := range params {
				sum = append(sum, l.Mul(l.Int(m.of[i][k]), p))
			}
			args = append(args, l.Add(sum...))
		}
		moves = append(moves, m)
		clauses = append(clauses, Clause{Body: []Atom{{m.from, params}}, Head: Atom{m.to, args}})
	}
	clauses = append(clauses, Clause{Head: Atom{0, slices.Repeat([]*logic.Term{l.Int(1)}, dims)}})
	for range 60 {
		at, state := 0, slices.Repeat([]int64{1}, dims)
		for range 12 {
			tuples[at] = append(tuples[at], state)
			m := moves[r.IntN(len(moves))]
			if m.from != at {
				continue
			}
			next := make([]int64, dims)
			for i := range dims {
				next[i] = m.of[i][dims]
				for k, x := range state {
					next[i] += m.of[i][k] * x
				}
			}
			at, state = m.to, next
		}
	}
	return clauses, tuples
}

// TestRandom compares with runs: what is found holds of all tuples, and there is no smaller space that has them (these programs have
// no conditions, so the analysis is exact).
func TestRandom(t *testing.T) {
	exact := 0
	for seed := range uint64(500) {
		l := logic.NewStore()
		clauses, tuples := randomClauses(l, rand.New(rand.NewPCG(seed, 1)))
		spaces, err := Solve(t.Context(), locations, clauses)
		if err != nil {
			t.Fatal(err)
		}
		for at, list := range tuples {
			var hull *Space
			for _, x := range list {
				point := &Space{dim: dims}
				for i, k := range x {
					r := make(row, dims+1)
					r[i], r[dims] = 1, -k
					point.rows = append(point.rows, r)
				}
				if hull == nil {
					hull = point
				}
				hull = hull.join(point)
				for _, e := range spaces[at].rows {
					sum := e[dims]
					for i, k := range x {
						sum += e[i] * k
					}
					if sum != 0 {
						t.Fatalf("seed %d: %v does not hold of %v", seed, e, x)
					}
				}
			}
			if hull != nil && len(hull.rows) == len(spaces[at].rows) {
				exact++
			} else if hull != nil && len(hull.rows) < len(spaces[at].rows) {
				t.Errorf("seed %d: %d equalities, but only %d hold", seed, len(spaces[at].rows), len(hull.rows))
			}
		}
	}
	t.Logf("%d spaces are those of the runs", exact)
	if exact < 600 {
		t.Error("the spaces are too large")
	}
}
