package comus

import (
	"testing"

	"comus/internal/timing"
	"comus/scan"
	"comus/seqmc"
	"comus/specialise"
)

// TestHeard has a result without a verdict tell what an analysis has told before, if it says nothing itself, and that of each property its own.
func TestHeard(t *testing.T) {
	found, left := &scan.Result{}, &Left{All: 2, Proved: 1}
	r := &wholeRuns{stop: func() {}}
	r.all.Add(1)
	r.hears(specialise.Race, &Result{Scan: found})
	r.hears(specialise.Assert, &Result{Left: left})
	own := &Left{All: 3}
	says := func(name string, res *Result) *Result {
		r.tellTried(&Result{Properties: []PropertyResult{{Name: name, Verdict: res.Verdict, Result: res}}}, timing.New())
		return res
	}
	if res := says(specialise.Race, &Result{}); res.Scan != found || res.Left != nil {
		t.Errorf("races: %+v", res)
	}
	if res := says(specialise.Assert, &Result{}); res.Scan != nil || res.Left != left {
		t.Errorf("assertions: %+v", res)
	}
	if res := says(specialise.Assert, &Result{Left: own}); res.Left != own {
		t.Errorf("what it says itself is lost: %+v", res)
	}
	if res := says(specialise.Memory, &Result{}); res.Scan != nil || res.Left != nil {
		t.Errorf("another property: %+v", res)
	}
	if res := says(specialise.Race, &Result{Verdict: seqmc.Safe}); res.Scan != nil {
		t.Errorf("with a verdict: %+v", res)
	}
}
