package scancheck_test

import (
	"testing"

	"comus/check/scancheck"
)

// TestGiven gives the checker the pairs that it leaves to others: then nothing is left, but without one of them it is.
func TestGiven(t *testing.T) {
	whole := 0
	for _, name := range unsafePrograms {
		s := program(t, name+"_unsafe")
		rep := s.check(t, s.res.Certificate)
		if rep.RaceFree() == nil || len(rep.Left) == 0 {
			t.Errorf("%s: nothing is left: %v", name, rep.RaceFree())
			continue
		}
		for without := -1; without < min(len(rep.Left), 12); without++ {
			given := scancheck.Pairs{}
			for i, q := range rep.Left {
				if i != without {
					given.Add(q[0], q[1])
				}
			}
			got, err := scancheck.CheckGiven(t.Context(), s.prog, s.pts, s.res.Certificate, given)
			switch {
			case err != nil:
				t.Fatal(err)
			case without < 0 && len(got.Left) > 0:
				t.Errorf("%s: left are %v", name, got.Left)
			case without < 0 && got.RaceFree() == nil:
				whole++
			case without >= 0 && got.RaceFree() == nil:
				t.Errorf("%s: free without the pair %d of %d", name, without, len(rep.Left))
			case without >= 0 && (len(got.Left) != 1 || got.Left[0] != rep.Left[without]):
				t.Errorf("%s: left without the pair %d: %v", name, without, got.Left)
			}
		}
	}
	if whole < len(unsafePrograms)/2 {
		t.Errorf("with all pairs only %d of %d programs are free", whole, len(unsafePrograms))
	}
}
