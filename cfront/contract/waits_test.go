package contract

import "testing"

// TestWaiting: functions that may wait for good are known, and their contracts say that they wait; those whose models say what they wait for are none of them.
func TestWaiting(t *testing.T) {
	for name := range waitFor {
		if f, ok := Lookup(name); !ok || !f.Blocks && name != "fdopen" {
			t.Errorf("%s: known %v, and has to wait", name, ok)
		}
	}
	for name, want := range map[string]bool{"read": true, "__read_chk": true, "__isoc99_scanf": true, "open64": true, "pthread_join": false, "sem_wait": false, "usleep": false, "mine": false, "__chk": false} {
		if got := MayWait(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
