package check_test

import (
	"testing"
	"time"

	"comus/check"
)

func TestRandomCertificates(t *testing.T) {
	proved, checked := 0, time.Duration(0)
	refs := 0
	for seed := range uint64(150) {
		p := check.RandomProgram(seed)
		want := check.Explore(p, nil)
		if want == nil {
			continue
		}
		c := certify(t, p, seed%2 == 0)
		if c == nil {
			if len(want) == 0 {
				t.Logf("seed %d: safe but not proved", seed)
			}
			continue
		}
		if len(want) > 0 {
			t.Logf("seed %d: prover claims safe, can fail: %v", seed, want)
		}
		for _, r := range c.Runs {
			for _, lv := range r.Levels {
				refs += len(lv.Refinements)
			}
		}
		start := time.Now()
		err := check.Safe(t.Context(), p, c)
		checked += time.Since(start)
		if err == nil && len(want) > 0 {
			t.Errorf("seed %d: accepted, but %v can fail\n%s", seed, want, p)
		}
		if err != nil {
			t.Logf("seed %d: %v", seed, err)
			continue
		}
		proved++
	}
	t.Logf("%d proved, %d refinements, %v", proved, refs, checked)
}
