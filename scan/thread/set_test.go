package thread

import (
	"math/rand/v2"
	"testing"
)

// TestSets compares sets of some hundred identities with tables.
func TestSets(t *testing.T) {
	const n = 200
	r := rand.New(rand.NewPCG(1, 2))
	some := func() (s Set, in [n]bool) {
		most := 1 + r.IntN(n)
		for range r.IntN(20) {
			i := r.IntN(most)
			s, in[i] = s.with(i), true
		}
		return s, in
	}
	for range 2000 {
		s, a := some()
		u, b := some()
		if r.IntN(3) == 0 { // much in common
			u, b = s, a
			if i := r.IntN(n); r.IntN(2) == 0 {
				u, b[i] = u.with(i), true
			}
		}
		var meets, more bool
		same := true
		for i := range n {
			meets, more, same = meets || a[i] && b[i], more || a[i] && !b[i], same && a[i] == b[i]
			if s.Has(i) != a[i] || s.or(u).Has(i) != (a[i] || b[i]) || s.minus(u).Has(i) != (a[i] && !b[i]) || s.and(u).Has(i) != (a[i] && b[i]) {
				t.Fatal(s, u, i)
			}
		}
		if s.meets(u) != meets || s.within(u) == more || (s.minus(nil).trimmed().Key() == u.trimmed().Key()) != same {
			t.Fatal(s, u)
		}
		for _, i := range s.Members() {
			if !a[i] {
				t.Fatal(s, i)
			}
			a[i] = false
		}
		if a != [n]bool{} {
			t.Fatal(s, "has more members")
		}
	}
}
