package comus_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"comus/comus"
)

// TestLarge decides programs of the front end's tests that have too many states to visit, which package specialise's
// tests do for the others.
func TestLarge(t *testing.T) {
	for _, name := range []string{"barrier_counting_safe", "cleanup_library_unsafe", "keys_two_safe", "lock_of_many_unsafe", "result_characters_safe",
		"semaphore_named_threads_safe", "semaphore_named_threads_unsafe", "vla_input_unsafe"} {
		t.Run(name, func(t *testing.T) {
			file := "../cfront/testdata/run/" + name + ".c"
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			strategy := "partial-order"
			if name == "lock_of_many_unsafe" { // which simulation decides
				strategy = comus.Auto
			}
			res, err := comus.Verify(ctx, file, comus.Options{Strategy: strategy})
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(src), "\n")
			if want := strings.TrimPrefix(first, "// expect: "); res.Verdict.String() != want {
				t.Errorf("%v (%s) instead of %s", res.Verdict, res.Reason, want)
			}
		})
	}
}
