package values

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// TestState compares states with maps.
func TestState(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		random := func() (*state, map[uint32]Value) {
			var s *state
			m := map[uint32]Value{}
			for range r.IntN(30) {
				key, v := uint32(r.IntN(60)), single(numberOf(int64(r.IntN(3))))
				if r.IntN(20) == 0 {
					key = ^key
				}
				if r.IntN(5) == 0 {
					s = s.without(key)
					delete(m, key)
				} else {
					s = s.set(key, v)
					m[key] = v
				}
			}
			return s, m
		}
		s, m := random()
		u, n := random()
		if r.IntN(3) == 0 { // with something in common
			u, n = s, maps.Clone(m)
			for range 3 {
				key := uint32(r.IntN(60))
				u = u.set(key, one)
				n[key] = one
			}
		}
		same(t, seed, "set", s, m)
		both, left, right := map[uint32]Value{}, map[uint32]Value{}, map[uint32]Value{}
		for k, v := range m {
			if w, ok := n[k]; ok {
				both[k], left[k] = v.join(w), v
			} else {
				right[k] = v
			}
		}
		same(t, seed, "merge", s.merge(u, Value.join), both)
		same(t, seed, "restrict", s.restrict(u), left)
		same(t, seed, "exclude", s.exclude(u), right)
		maps.Copy(right, n)
		same(t, seed, "union", s.exclude(u).union(u), right)
		if s.equal(u) != maps.EqualFunc(m, n, Value.equal) {
			t.Errorf("seed %d: equal is wrong", seed)
		}
	}
}

func same(t *testing.T, seed uint64, what string, s *state, m map[uint32]Value) {
	t.Helper()
	n := 0
	s.keep(func(uint32) bool { n++; return true })
	if n != len(m) {
		t.Errorf("seed %d: %s: %d keys instead of %d", seed, what, n, len(m))
	}
	for k, v := range m {
		if w, ok := s.get(k); !ok || !v.equal(w) {
			t.Errorf("seed %d: %s: %d is %v instead of %v", seed, what, k, w, v)
		}
	}
}
