package comus

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"comus/cfront"
	"comus/check"
)

// TestReadings confirms a proof that is only one as the certificate wants the source to be
// read: the result has to say how that is.
func TestReadings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "race.c")
	if err := os.WriteFile(file, []byte(race), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		atomic string
		safe   bool
	}{{"step", false}, {"statement", true}} {
		how, question, err := SourceOptions(check.Program{DataModel: "LP64", Overflow: "assume", Atomic: tc.atomic}, cfront.Options{})
		if err != nil {
			t.Fatal(err)
		}
		source, err := Open(t.Context(), File(file), how)
		if err != nil {
			t.Fatal(err)
		}
		id := source.identity(question)
		id.Passes = []string{}
		cert := &check.Certificate{Format: check.Format, Version: check.Version, Program: id, Verdict: "SAFE", Method: check.MethodStates}
		res, err := Check(t.Context(), file, cert)
		if (err == nil) != tc.safe {
			t.Errorf("atomic %s: %v", tc.atomic, err)
		}
		if err == nil && !slices.Contains(res.Assumptions, "the source is read with --atomic=statement") {
			t.Errorf("atomic %s: the result does not say so: %q", tc.atomic, res.Assumptions)
		}
	}
}
