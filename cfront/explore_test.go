package cfront

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/ir/explore"
	"comus/logic"
)

// TestPrograms decides the programs of testdata/run by visiting all states; the
// first line of each says what has to come out, and perhaps with which --check.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/run/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".c"), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(src), "\n")
			want, check, _ := strings.Cut(strings.TrimPrefix(first, "// expect: "), " --check=")
			opts := Options{Check: Checks{Memory: check == "memory"}}
			if got := decide(t, f, opts); got != want {
				t.Errorf("%s instead of %s", got, want)
			}
		})
	}
}

// TestAtomicStatements reads programs in the coarser way.
func TestAtomicStatements(t *testing.T) {
	for name, want := range map[string]string{"lost_update": "SAFE", "shared_order": "SAFE", "twice": "SAFE", "global_ids": "UNSAFE"} {
		if got := decide(t, "testdata/run/"+name+".c", Options{AtomicStatements: true}); got != want {
			t.Errorf("%s: %s instead of %s", name, got, want)
		}
	}
}

// TestWrap lets signed overflow wrap around or fail.
func TestWrap(t *testing.T) {
	file := "testdata/run/overflow_assumed.c"
	if got := decide(t, file, Options{Overflow: OverflowWrap}); got != "UNSAFE" {
		t.Error("wrap:", got)
	}
	if got := decide(t, file, Options{Overflow: OverflowCheck}); got != "UNSAFE" {
		t.Error("check:", got)
	}
}

// inputDomain are the values tried for inputs of large types.
var inputDomain = []logic.Value{logic.IntValue(-1), logic.IntValue(0), logic.IntValue(1), logic.IntValue(2), logic.IntValue(5)}

// decide parses a program, checks it and explores it.
func decide(t *testing.T, file string, opts Options) string {
	t.Helper()
	res, err := ParseFile(file, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Program.Check(); err != nil {
		t.Fatalf("%v\n%s", err, res.Program)
	}
	r, err := explore.Explore(context.Background(), res.Program, explore.Options{MaxStates: 1_000_000, InputDomain: inputDomain})
	if err != nil {
		t.Fatalf("%v\n%s", err, res.Program)
	}
	if strings.HasPrefix(r.Reason, "safe for the restricted inputs") {
		return explore.Safe.String()
	}
	if r.Verdict == explore.Unknown {
		t.Log(r.Reason)
	}
	if testing.Verbose() && r.Verdict == explore.Unsafe {
		for _, s := range r.Schedule.Steps {
			t.Log(s.Edge.From.Thread.Index, s.Edge, s.Inputs)
		}
	}
	return r.Verdict.String()
}
