package specialise_test

import (
	"path/filepath"
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
