package comus_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"comus/comus"
	"comus/internal/long"
	"comus/specialise"
)

// TestLarge decides programs of the front end's tests that have too many states to visit, which package specialise's
// tests do for the others.
func TestLarge(t *testing.T) {
	for _, name := range []string{"barrier_counting_safe", "cleanup_safe", "cleanup_unsafe", "cleanup_library_unsafe", "keys_two_safe", "lock_of_many_unsafe", "result_characters_safe",
		"semaphore_named_threads_safe", "semaphore_named_threads_unsafe", "vla_input_unsafe"} {
		t.Run(name, func(t *testing.T) {
			long.OneOf(t, 5)
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

// TestUnsettled decides the pairs of races and deadlocks that package specialise's tests leave, but for
// buffer_one_condition_safe.c, for which partial orders take minutes. Those that partial orders do not decide, the default does.
func TestUnsettled(t *testing.T) {
	byDefault := map[string]bool{"race/string_each_safe": true, "deadlock/barrier_many_safe": true, "deadlock/barrier_many_unsafe": true}
	for i, name := range []string{"race/string_each_safe", "deadlock/barrier_many_safe", "deadlock/barrier_many_unsafe", "race/getenv_unsafe", "race/getenv_result_unsafe", "race/localtime_result_safe", "race/localtime_safe", "race/stream_lock_safe",
		"race/stream_shared_safe", "race/setlocale_safe", "deadlock/buffer_one_condition_unsafe",
		"deadlock/input_order_safe", "deadlock/join_cycle_unsafe", "race/memset_untracked_unsafe"} {
		if !long.Turn(i, 4) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			file := "../cfront/testdata/" + name + ".c"
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(src), "\n")
			want, property, _ := strings.Cut(strings.TrimPrefix(first, "// expect: "), " --check=")
			checks, err := specialise.ChecksNamed([]string{property})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			opts := comus.Options{Strategy: "partial-order", Question: specialise.Options{Check: checks}}
			if byDefault[name] {
				opts.Strategy = ""
			}
			res, err := comus.Verify(ctx, file, opts)
			if err != nil {
				t.Fatal(err)
			}
			if res.Verdict.String() != want {
				t.Errorf("%v (%s) instead of %s", res.Verdict, res.Reason, want)
			}
		})
	}
}
