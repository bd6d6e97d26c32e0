package scancheck

import (
	"math/rand"
	"testing"
)

// TestEquationsHold follows vectors of numbers through random operations: what holds of a vector before holds of it behind.
func TestEquationsHold(t *testing.T) {
	const n = 5
	type state struct {
		d  *differences
		in [][]int64
	}
	start := func(r *rand.Rand) state {
		v := []int64{0}
		d := anyNumbers(n)
		for i := 1; i <= n; i++ {
			v = append(v, int64(r.Intn(4)))
			d = d.equals(i, 0, v[i])
		}
		return state{d: d, in: [][]int64{v}}
	}
	said := 0
	for seed := range 400 {
		r := rand.New(rand.NewSource(int64(seed)))
		s := start(r)
		for range 40 {
			i, j, c := 1+r.Intn(n), r.Intn(n+1), int64(r.Intn(7)-3)
			var next [][]int64
			for _, v := range s.in {
				next = append(next, append([]int64{}, v...))
			}
			switch r.Intn(7) {
			case 0:
				s.d = s.d.moves(i, c)
				for _, v := range next {
					v[i] += c
				}
			case 1:
				s.d = s.d.becomes(i, j, c)
				for _, v := range next {
					v[i] = v[j] + c
				}
			case 2:
				s.d = s.d.lose(i)
				for _, v := range next {
					v[i] += int64(r.Intn(9) - 4)
				}
			case 3: // only those for which a comparison holds
				if i == j {
					continue
				}
				var some [][]int64
				for _, v := range next {
					if v[i]-v[j] <= c {
						some = append(some, v)
					}
				}
				if len(some) == 0 {
					continue
				}
				s.d, next = s.d.bound(i, j, c), some
			case 4:
				s.d = s.d.drawn(i)
			case 5: // as in turns of a loop
				e := s.d.moves(i, c).moves(j%n+1, 2*c)
				for _, v := range s.in {
					w := append([]int64{}, v...)
					w[i] += c
					w[j%n+1] += 2 * c
					next = append(next, w)
				}
				s.d = s.d.either(e)
			default:
				o := start(r)
				s.d, next = s.d.steady(s.d.either(o.d), []int64{-2, 0, 3}), append(next, o.in...)
			}
			s.in = next
			if len(s.in) > 60 {
				s.in = s.in[:60]
			}
			if s.d == nil {
				t.Fatalf("seed %d: nothing is left, but %v is", seed, s.in[0])
			}
			for _, v := range s.in {
				s.d.holdsOf(t, seed, v)
			}
			for _, e := range s.d.eqs {
				if e[e.lead()] <= 0 {
					t.Fatalf("seed %d: %v", seed, e)
				}
			}
			said += len(s.d.eqs)
		}
	}
	if said < 1000 {
		t.Errorf("only %d equations", said)
	}
}

// holdsOf fails if something is not right of a vector.
func (d *differences) holdsOf(t *testing.T, seed int, v []int64) {
	t.Helper()
	for i := range d.n {
		for j := range d.n {
			if v[i]-v[j] > d.at(i, j) {
				t.Fatalf("seed %d: v_%d - v_%d <= %d, but %v", seed, i, j, d.at(i, j), v)
			}
		}
	}
	for _, e := range d.eqs {
		sum := e[0]
		for i := 1; i < d.n; i++ {
			sum += e[i] * v[i]
		}
		if sum != 0 {
			t.Fatalf("seed %d: %v is not 0 of %v", seed, e, v)
		}
	}
}

// TestEquationsOfTurns has what two counters say of each other behind a loop: one goes in steps of 3, the other in steps of 1, from 0 to 7.
func TestEquationsOfTurns(t *testing.T) {
	begin := anyNumbers(3).equals(1, 0, 0).equals(2, 0, 0)
	head := begin
	for range 20 {
		turn := head.bound(2, 0, 6).moves(1, 3).moves(2, 1)
		head = head.steady(head.either(begin.either(turn)), []int64{6, 7})
	}
	behind := head.bound(0, 2, -7).lose(2).drawn(1)
	if behind.at(1, 0) != 21 || behind.at(0, 1) != -21 {
		t.Errorf("%d to %d, not 21", -behind.at(0, 1), behind.at(1, 0))
	}
	early := head.bound(2, 0, 4).lose(2)
	if early.at(1, 0) != 12 {
		t.Errorf("up to %d, not 12", early.at(1, 0))
	}
}
