package scan_test

import (
	"slices"
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/scan"
	"comus/scan/certificate"
)

// forges analyses a program: if it is free of races, that is certified; if not, a certificate that says it was, by a reason, is refused.
func forges(t *testing.T, name, src, reason string, free bool) {
	t.Helper()
	p := load(t, text(t, src))
	r, err := scan.Analyse(t.Context(), p.Program, nil, scan.Options{Certificate: true, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, suspects := r.RaceFree(); (suspects == 0) != free {
		t.Errorf("%s: %d suspects", name, suspects)
	}
	forged := copied(t, r.Certificate)
	for i := range forged.Locations {
		l := &forged.Locations[i]
		for k, why := range l.Pairs {
			if why == certificate.Suspect {
				l.Pairs[k] = reason
			}
		}
		l.Suspected = false
	}
	rep, err := scancheck.Check(t.Context(), p.Program, r.Points, forged)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if all := !slices.ContainsFunc(rep.Wrong, func(s string) bool { return s != "" }); all != free {
		t.Errorf("%s: certified: %v %q", name, all, strings.Join(rep.Wrong, ""))
	}
}
