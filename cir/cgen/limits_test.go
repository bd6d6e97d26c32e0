package cgen_test

import (
	"os"
	"testing"

	"comus/internal/randc"
)

// TestLimits: constants at the limits of their types are printed as what they are.
func TestLimits(t *testing.T) {
	const file = "../../cfront/build/testdata/limits.c"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := randc.NewJudge(t).Result(string(src), "", limit)
	if err != nil {
		t.Fatal(err)
	}
	if err := one(t.TempDir(), []string{file}, nil, want.Stdout, status(want)); err != nil {
		t.Error(err)
	}
}
