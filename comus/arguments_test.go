package comus_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/comus"
	"comus/internal/long"
	"comus/specialise"
)

// everyLength are programs that need a proof for every length of what the library allocates, or of argv.
var everyLength = map[string]bool{"argument_walk_safe.c": true, "environment_length_safe.c": true, "environment_unset_safe.c": true}

// TestArguments decides programs that read their arguments and the environment, which are strings of any length.
func TestArguments(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"argument*", "environment_*"} {
		files, err := filepath.Glob("../cfront/testdata/memory/" + pattern + ".c")
		if err != nil || len(files) < 4 {
			t.Fatalf("%d programs %s: %v", len(files), pattern, err)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				long.OneOf(t, 4)
				src, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				first, _, _ := strings.Cut(string(src), "\n")
				want, _, _ := strings.Cut(strings.TrimPrefix(first, "// expect: "), " --check=")
				strategy := comus.Auto
				if everyLength[filepath.Base(file)] {
					strategy = "thread-modular"
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				res, err := comus.Verify(ctx, file, comus.Options{Strategy: strategy, Question: specialise.Options{Check: specialise.Checks{NoAssert: true, Memory: true}}})
				if err != nil {
					t.Fatal(err)
				}
				if res.Verdict.String() != want {
					t.Errorf("%v (%s) instead of %s", res.Verdict, res.Reason, want)
				}
			})
		}
	}
}
