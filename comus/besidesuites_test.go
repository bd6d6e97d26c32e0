package comus_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"comus/comus"
	"comus/internal/long"
	"comus/seqmc"
	"comus/specialise"
)

// TestBesideSuites verifies unsafe programs of the suites, one of 32 or of COMUS_BESIDE. None is proved, and none is proved and contradicted by a run: that is how
// an error of package specialise that loses executions comes out (internal/mutate counts how many of those do).
func TestBesideSuites(t *testing.T) {
	long.Only(t)
	part := 32
	if n, err := strconv.Atoi(os.Getenv("COMUS_BESIDE")); err == nil && n > 0 {
		part = n
	}
	files, err := filepath.Glob("../cfront/testdata/*/*_unsafe.c")
	if err != nil {
		t.Fatal(err)
	}
	unsafe := 0
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		property, ok := strings.CutPrefix(first, "// expect: UNSAFE")
		if i%part != 0 || !ok {
			continue
		}
		checks := specialise.Checks{}
		switch name, ok := strings.CutPrefix(strings.TrimSpace(property), "--check="); {
		case ok:
			checks, err = specialise.ChecksNamed(strings.Split(name, ","))
		case property != "":
			continue // with other flags
		case filepath.Base(filepath.Dir(file)) == specialise.Locks:
			checks, err = specialise.ChecksNamed([]string{specialise.Locks})
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
		res, err := comus.Verify(ctx, file, comus.Options{Strategy: "partial-order", Question: specialise.Options{Check: checks}})
		stop()
		switch {
		case err != nil:
			t.Errorf("%s: %v", file, err)
		case res.Internal != nil || res.Verdict == seqmc.Safe:
			t.Errorf("%s: %v %s", file, res.Verdict, res.Reason)
		case res.Verdict == seqmc.Unsafe:
			unsafe++
		}
	}
	if unsafe == 0 {
		t.Error("no program is decided")
	}
	t.Logf("%d programs are unsafe", unsafe)
}
