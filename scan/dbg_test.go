package scan_test

import (
	"os"
	"testing"

	"comus/check/scancheck"
	"comus/scan"
)

func TestDbgFile(t *testing.T) {
	b, err := os.ReadFile(os.Getenv("DBGF"))
	if err != nil {
		t.Skip()
	}
	p := load(t, text(t, string(b)))
	r, err := scan.Analyse(t.Context(), p.Program, nil, scan.Options{Certificate: true})
	if err != nil {
		t.Fatal(err)
	}
	report, err := scancheck.Check(t.Context(), p.Program, r.Points, r.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range r.Locations {
		t.Logf("%s: %v, %v, %s", l.Name, l.Why, report.Certified(i), report.Wrong[i])
	}
	for _, s := range report.Refused {
		t.Log("refused:", s)
	}
	for _, s := range report.Open {
		t.Log("open:", s)
	}
}
