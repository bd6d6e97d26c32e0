package cfront

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestLocks decides the programs of testdata/locks with misuse of locks as an error.
// Without it none of them has anything that can fail.
func TestLocks(t *testing.T) {
	files, err := filepath.Glob("testdata/locks/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".c"), func(t *testing.T) {
			want := expectation(t, f)
			if got := decide(t, f, Options{Check: Checks{Locks: true}}); got != want {
				t.Errorf("%s instead of %s", got, want)
			}
			res, err := ParseFile(f, Options{})
			if err != nil || res.HasAssertions {
				t.Errorf("without the check: assertions %v, error %v", err == nil && res.HasAssertions, err)
			}
		})
	}
}
