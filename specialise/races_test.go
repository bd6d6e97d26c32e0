package specialise_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"comus/specialise"
)

// unsettled are programs with races or deadlocks whose states say nothing: they are too many, or depend on
// approximations of what the library does. TestUnsettled of package comus decides them.
var unsettled = map[string]bool{
	"getenv_unsafe.c": true, "localtime_result_safe.c": true, "localtime_safe.c": true, "setlocale_safe.c": true, "stream_lock_safe.c": true, "stream_shared_safe.c": true,
	"buffer_one_condition_safe.c": true, "buffer_one_condition_unsafe.c": true, "input_order_safe.c": true, "join_cycle_unsafe.c": true,
}

// TestProperties decides the programs with data races and deadlocks, and those that differ from them only by not having one.
func TestProperties(t *testing.T) {
	for _, folder := range []string{"race", "deadlock"} {
		t.Run(folder, func(t *testing.T) {
			i := 0
			programs(t, folder, func(t *testing.T, file string) {
				if i++; testing.Short() && i%8 != 0 || unsettled[filepath.Base(file)] {
					return
				}
				want, checks := expectation(t, file)
				if checks == (specialise.Checks{}) {
					t.Fatal("no property is named")
				}
				if got, _ := decide(file, true, specialise.Options{Check: checks}); got != want {
					t.Errorf("%s instead of %s", got, want)
				}
			})
		})
	}
}

var threadFunction = regexp.MustCompile(`(?m)^(?:static )?void \*\w+\(void \*\w*\) \{\n`)

// TestRelaxed decides the programs with races, and those without, once more with an access beside that is relaxed: then happens-before is
// tracked, which does not change anything.
func TestRelaxed(t *testing.T) {
	i := 0
	programs(t, "race", func(t *testing.T, file string) {
		if i++; i%4 != 0 || unsettled[filepath.Base(file)] {
			return
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(string(src), "#define _GNU_SOURCE\n", "", 1)
		at := threadFunction.FindStringIndex(text)
		if at == nil {
			return
		}
		text = "#define _GNU_SOURCE\n#include <stdatomic.h>\nstatic _Atomic int beside;\n" + text[:at[1]] +
			"atomic_store_explicit(&beside, 1, memory_order_relaxed);\n" + text[at[1]:]
		changed := filepath.Join(t.TempDir(), filepath.Base(file))
		if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want, checks := expectation(t, file)
		if got, _ := decide(changed, true, specialise.Options{Check: checks}); got != want {
			t.Errorf("%s instead of %s", got, want)
		}
	})
}
