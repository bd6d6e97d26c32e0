package comus

import (
	"path/filepath"
	"strings"
	"testing"

	"comus/seqmc"
	"comus/specialise"
)

// TestScanStrategy asks a scan alone about the pairs of programs with and without a race: it proves many of those without one, none of the
// others, and what it proves another process confirms.
func TestScanStrategy(t *testing.T) {
	files, err := filepath.Glob("../cfront/testdata/race/*.c")
	if err != nil || len(files) < 300 {
		t.Fatal(len(files), "programs", err)
	}
	proved := 0
	for _, f := range files {
		res, err := Verify(t.Context(), f, Options{Strategy: scanStrategy, Alone: true, Question: specialise.Options{Check: specialise.Checks{NoAssert: true, Race: true}}})
		if err != nil {
			t.Error(f, err)
			continue
		}
		if res.Verdict != seqmc.Safe {
			continue
		}
		proved++
		if strings.HasSuffix(f, "_unsafe.c") {
			t.Errorf("%s: SAFE", f)
		}
		if _, err := Check(t.Context(), f, res.Certificate); err != nil {
			t.Error(f, err)
		}
	}
	t.Log(proved, "proved")
	if proved < 80 {
		t.Errorf("only %d programs were proved", proved)
	}
}
