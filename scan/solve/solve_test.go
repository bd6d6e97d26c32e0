package solve

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
)

// interval is from 1 on to a bound; 0: nothing.
type interval int

const infinite = interval(1 << 40)

// loops is the system of a program: unknown i contributes to others what it has, plus something, up to a limit.
type loops struct {
	edges map[int][]edge
	evals int
}

type edge struct {
	to    int
	add   interval
	limit interval // of what passes here; 0: none
	side  int      // asked for: it does not pass more than this unknown has; 0: none
}

func (*loops) Bottom() interval { return 0 }

func (*loops) Join(old, add interval) (interval, bool) { return max(old, add), add > old }

func (*loops) Widen(u int, old, next interval, times int) interval {
	if times > 3 {
		return infinite
	}
	return next
}

func (*loops) Order(u int) int64 { return int64(u) }

func (l *loops) Eval(u int, v interval, env *Env[int, interval]) {
	l.evals++
	if u == 0 {
		v = 1
	}
	if v == 0 {
		return
	}
	for _, e := range l.edges[u] {
		if w := l.passes(e, v, env.Get); w > 0 {
			env.Add(e.to, w)
		}
	}
}

func (l *loops) passes(e edge, v interval, get func(int) interval) interval {
	v = min(v+e.add, infinite)
	if e.limit > 0 {
		v = min(v, e.limit)
	}
	if e.side > 0 {
		v = min(v, get(e.side))
	}
	return v
}

// TestNarrowing finds the bound of a loop again that widening gave away.
func TestNarrowing(t *testing.T) {
	l := &loops{edges: map[int][]edge{0: {{to: 1}}, 1: {{to: 2, limit: 100}, {to: 3}}, 2: {{to: 1, add: 1}}}}
	s, err := Solve(t.Context(), l, 0)
	if err != nil {
		t.Fatal(err)
	}
	for u, want := range map[int]interval{1: 101, 2: 100, 3: 101, 4: 0} {
		if got := s.Get(u); got != want {
			t.Errorf("%d has %d instead of %d", u, got, want)
		}
	}
	seen := 0
	before := l.evals
	s.Visit()
	if seen = l.evals - before; seen != 4 {
		t.Errorf("%d unknowns are visited", seen)
	}
	if s.Get(1) != 101 {
		t.Error("the visit changes something")
	}
}

// TestSolution has random systems: what is found is a solution, and covers the least one.
func TestSolution(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		l := &loops{edges: map[int][]edge{}}
		for range 1 + r.IntN(20) {
			from := r.IntN(8)
			l.edges[from] = append(l.edges[from], edge{to: 1 + r.IntN(7), add: interval(r.IntN(3)), limit: interval(r.IntN(3) * r.IntN(40)), side: max(0, r.IntN(12)-4)})
		}
		s, err := Solve(t.Context(), l, 0)
		if err != nil {
			t.Fatal(err)
		}
		for u, es := range l.edges {
			v := s.Get(u)
			if u == 0 {
				v = 1
			}
			for _, e := range es {
				if v > 0 && l.passes(e, v, s.Get) > s.Get(e.to) {
					t.Errorf("seed %d: what %d contributes to %d is not in what is found", seed, u, e.to)
				}
			}
		}
	}
}

// TestEnds ends with the context.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Solve(ctx, &loops{}, 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
