package scan_test

import (
	"testing"
	"comus/cfront"
	"comus/cfront/command"
	"comus/check/scancheck"
	"comus/internal/randrace"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/points"
	"slices"
)

func TestZZ(t *testing.T) {
	n, c, progs := 0, 0, 0
	for s := range uint64(200) {
		text := randrace.Rounds(s)
		p, err := cfront.LoadText(t.Context(), command.Invocation{File: "r.c"}, []byte(text), cfront.Options{NoHost: true})
		if err != nil { t.Fatal(err, text) }
		pts, _ := points.AnalyseOpen(t.Context(), p.Program)
		r, _ := scan.Analyse(t.Context(), p.Program, pts, scan.Options{Certificate: true, Whole: true})
		rep, _ := scancheck.Check(t.Context(), p.Program, pts, r.Certificate)
		some := false
		for i, l := range r.Certificate.Locations {
			if slices.Contains(l.Pairs, certificate.Phased) {
				some = true
				if !slices.Contains(l.Pairs, certificate.Suspect) { n++; if rep.Certified(i) { c++ } else if n-c < 6 { t.Log(s, l.Name, rep.Wrong[i]) } }
			}
		}
		if some { progs++ }
	}
	t.Log(progs, n, c)
	t.Log(randrace.Rounds(7))
}
