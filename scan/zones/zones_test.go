package zones

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"comus/cir"
)

// holds reports whether a number compares so to 0.
func holds(x int64, p cir.Pred) bool {
	return [...]bool{cir.Eq: x == 0, cir.Ne: x != 0, cir.Lt: x < 0, cir.Le: x <= 0, cir.Gt: x > 0, cir.Ge: x >= 0}[p]
}

// world is a state, and vectors that are in it by what was done.
type world struct {
	s  *State
	vs [][]int64
}

// TestRandom does random operations with states and with vectors: no vector gets lost, and bounds are bounds. More: COMUS_SCAN=100000, from
// COMUS_SEED.
func TestRandom(t *testing.T) {
	count, first := 1000, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("COMUS_SCAN")); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("COMUS_SEED"), 10, 64); err == nil {
		first = n
	}
	empty, trivial := 0, 0
	for i := range uint64(count) {
		r := rand.New(rand.NewPCG(first+i, 7))
		p := &Pack{N: 1 + r.IntN(4), At: []int64{-5, 0, 5, 20}}
		for v := range p.N {
			if r.IntN(4) == 0 {
				p.Flags = append(p.Flags, v)
			}
		}
		w := []world{start(r, p), start(r, p)}
		for range 25 {
			name := step(r, p, w)
			for _, x := range w {
				checkWorld(t, first+i, name, r, p, x)
			}
			if t.Failed() {
				return
			}
		}
		for _, x := range w {
			if x.s.Empty() {
				empty++
			} else if x.s.Trivial() {
				trivial++
			}
		}
	}
	t.Logf("%d states, %d empty, %d that say nothing", 2*count, empty, trivial)
	if empty+trivial > count*3/2 {
		t.Error("too little is known for a test")
	}
}

func start(r *rand.Rand, p *Pack) world {
	w := world{s: p.Top()}
	for range 12 {
		v := make([]int64, p.N)
		for i := range v {
			v[i] = r.Int64N(7) - 3
		}
		w.vs = append(w.vs, v)
	}
	return w
}

// linear returns a random sum, mostly a difference.
func linear(r *rand.Rand, p *Pack) Linear {
	f := Constant(p.N, r.Int64N(7)-3)
	if r.IntN(3) == 0 {
		for i := range f.Coef {
			f.Coef[i] = r.Int64N(5) - 2
		}
		return f
	}
	f.Coef[r.IntN(p.N)]++
	if r.IntN(2) == 0 {
		f.Coef[r.IntN(p.N)]--
	}
	return f
}

// step does an operation with the first of two worlds, or both.
func step(r *rand.Rand, p *Pack, w []world) string {
	if r.IntN(2) == 0 {
		w[0], w[1] = w[1], w[0]
	}
	x := &w[0]
	i := r.IntN(p.N)
	change := func(f func(v []int64)) {
		vs := x.vs
		x.vs = nil
		for _, v := range vs {
			v = slices.Clone(v)
			f(v)
			x.vs = append(x.vs, v)
		}
	}
	switch r.IntN(9) {
	case 0, 1:
		f := linear(r, p)
		x.s = x.s.Assign(i, f)
		change(func(v []int64) { v[i] = f.Of(v) })
		return "assign"
	case 2, 3, 4:
		f, pred := linear(r, p), cir.Pred(r.IntN(6))
		x.s = x.s.Assume(f, pred)
		x.vs = slices.DeleteFunc(slices.Clone(x.vs), func(v []int64) bool { return !holds(f.Of(v), pred) })
		return "assume " + pred.String()
	case 5:
		x.s = x.s.Forget(func(j int) bool { return i == j })
		change(func(v []int64) { v[i] = r.Int64N(9) - 4 })
		return "forget"
	case 6:
		lo, hi := r.Int64N(5)-4, r.Int64N(5)
		x.s = x.s.Within(i, &lo, &hi)
		x.vs = slices.DeleteFunc(slices.Clone(x.vs), func(v []int64) bool { return v[i] < lo || v[i] > hi })
		return "within"
	case 7:
		x.s = x.s.Meet(w[1].s)
		x.vs = slices.DeleteFunc(slices.Clone(x.vs), func(v []int64) bool { return !w[1].s.Has(v) })
		return "meet"
	}
	vs := append(slices.Clone(x.vs), w[1].vs...)
	if r.IntN(2) == 0 {
		x.s, x.vs = x.s.Join(w[1].s), vs
		return "join"
	}
	x.s, x.vs = x.s.Widen(x.s.Join(w[1].s), r.IntN(2) == 0), vs
	return "widen"
}

func checkWorld(t *testing.T, seed uint64, name string, r *rand.Rand, p *Pack, w world) {
	f := linear(r, p)
	lo, hi := w.s.Bounds(f)
	for _, v := range w.vs {
		if !w.s.Has(v) {
			t.Fatalf("seed %d, %s: %v is lost: %v", seed, name, v, w.s)
		}
		if x := f.Of(v); lo != nil && x < *lo || hi != nil && x > *hi {
			t.Fatalf("seed %d, %s: %v of %v is not within its bounds: %v", seed, name, f, v, w.s)
		}
	}
	if !w.s.Equal(w.s.Join(w.s)) || len(w.s.cases) > maxCases {
		t.Fatalf("seed %d, %s: joined with itself, it is another one", seed, name)
	}
}

// TestExact has sequences of operations, and what is known then.
func TestExact(t *testing.T) {
	a, b, c := Variable(3, 0, 0), Variable(3, 1, 0), Variable(3, 2, 0)
	plus := func(fs ...Linear) Linear {
		f := Constant(3, 0)
		for _, g := range fs {
			f, _ = f.plus(1, g)
		}
		return f
	}
	k := func(n int64) Linear { return Constant(3, n) }
	p := &Pack{N: 3, At: []int64{0, 4, 10}}
	zero := p.Top().Assign(0, k(0)).Assign(1, k(0)).Assign(2, k(0))
	flags := &Pack{N: 3, Flags: []int{0}}
	for _, x := range []struct {
		name   string
		s      *State
		f      Linear
		lo, hi int64
	}{
		{"copied", p.Top().Assign(0, b), plus(a, b.minus()), 0, 0},
		{"counted", p.Top().Assign(0, b).Assign(0, plus(a, k(3))), plus(a, b.minus()), 3, 3},
		{"both counted", zero.Join(zero.Assign(0, plus(a, k(1))).Assign(1, plus(b, k(1)))), plus(a, b.minus()), 0, 0},
		{"the sum of two", zero.Join(zero.Assign(0, k(5)).Assign(1, k(2)).Assign(2, k(3))), plus(a, b.minus(), c.minus()), 0, 0},
		{"moved by a third", zero.Assign(2, k(7)).Assign(0, plus(a, c)).Assign(1, plus(b, c.minus())), plus(a, b), 0, 0},
		{"moved by what is not known", zero.Forget(func(i int) bool { return i == 2 }).Assign(0, plus(a, c)).Assign(1, plus(b, c.minus())), plus(a, b), 0, 0},
		{"bounded by a third", p.Top().Assume(plus(a, b.minus(), c.minus()), cir.Eq).Assume(plus(c, k(-4)), cir.Le).Assume(c, cir.Ge), plus(a, b.minus()), 0, 4},
		{"through another", p.Top().Assume(plus(a, b.minus()), cir.Lt).Assume(plus(b, c.minus()), cir.Lt).Assume(plus(c, k(-10)), cir.Le).Assume(a, cir.Ge), a, 0, 8},
		{"at the end", p.Top().Assume(plus(a, b.minus()), cir.Le).Assume(plus(a, b.minus()), cir.Ne).Assume(plus(a, b.minus(), k(5)), cir.Ge), plus(a, b.minus()), -5, -1},
		{"twice", p.Top().Assign(0, Linear{[]int64{0, 2, 0}, 0}).Assume(b, cir.Ge).Assume(plus(b, k(-3)), cir.Le), a, 0, 6},
		{"widened", zero.Widen(zero.Join(zero.Assign(0, k(2))), false), a, 0, 4},
		{"by a flag", flags.Top().Assign(0, k(0)).Join(flags.Top().Assign(0, k(1)).Assign(1, k(10))).Assume(a, cir.Ne), b, 10, 10},
	} {
		lo, hi := x.s.Bounds(x.f)
		if lo == nil || hi == nil || *lo != x.lo || *hi != x.hi {
			t.Errorf("%s: not from %d to %d: %v", x.name, x.lo, x.hi, x.s)
		}
	}
	for name, s := range map[string]*State{
		"less than itself": p.Top().Assume(plus(a, b.minus()), cir.Lt).Assume(plus(b, a.minus()), cir.Le),
		"not zero":         zero.Assume(a, cir.Ne),
		"another sum":      p.Top().Assume(plus(a, b, c), cir.Eq).Assume(plus(a, b, c, k(1)), cir.Eq),
	} {
		if !s.Empty() {
			t.Errorf("%s: %v", name, s)
		}
	}
}

// TestLarge has numbers near the limits: bounds may be lost there, vectors may not.
func TestLarge(t *testing.T) {
	p := &Pack{N: 2}
	r := rand.New(rand.NewPCG(1, 1))
	near := []int64{0, 1, -1, 1 << 29, 1 << 30, 1<<30 + 1, 1<<31 - 1, 1 << 32, 1 << 60, 1<<61 - 1, 1 << 61, -1 << 30, -1 << 31, -1 << 61}
	pick := func() int64 { return near[r.IntN(len(near))] }
	for range 20000 {
		v := []int64{pick(), pick()}
		s := p.Top().Within(0, &v[0], &v[0]).Within(1, &v[1], &v[1])
		if !s.Has(v) {
			t.Fatalf("%v is lost: %v", v, s)
		}
		f := Linear{[]int64{r.Int64N(3) - 1, r.Int64N(3) - 1}, pick() % (1 << 61)}
		w := []int64{v[0], f.C + f.Coef[0]*v[0]} // fits
		f.Coef[1] = 0
		if u := s.Assign(1, f); !u.Has(w) {
			t.Fatalf("%v := %v: %v is lost: %v", v, f, w, u)
		}
		if u := s.Assume(f, cir.Ge); f.Of(v) >= 0 && !u.Has(v) {
			t.Fatalf("%v with %v >= 0 is lost: %v", v, f, u)
		}
		if x, fits := f.plus(1<<30, f); fits && x.Coef[0] != f.Coef[0]*(1<<30+1) {
			t.Fatal("wrong product")
		}
	}
}

// TestTimes has products that do not fit: there is no bound then.
func TestTimes(t *testing.T) {
	for _, c := range []struct{ k, c, want int64 }{
		{3, 5, 15}, {3, -5, -15}, {1 << 20, 1 << 20, 1 << 40}, {3, infinite, infinite},
		{1 << 32, 1 << 32, infinite}, {1 << 62, 4, infinite}, {1 << 30, 1 << 60, infinite}, {1 << 3, 1 << 60, infinite},
	} {
		if got := times(c.k, c.c); got != c.want {
			t.Errorf("%d * %d is at most %d, want %d", c.k, c.c, got, c.want)
		}
	}
}
