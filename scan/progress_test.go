package scan_test

import (
	"testing"

	"comus/scan"
)

// TestProgress tells each phase, and counts functions.
func TestProgress(t *testing.T) {
	p := load(t, text(t, `#include <pthread.h>
int x; pthread_mutex_t m;
static void add(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
static void *f(void *arg) { add(); return arg; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); add(); pthread_join(t, 0); }
`)).Program
	last, counts := "", map[string][2]int{}
	_, err := scan.Analyse(t.Context(), p, nil, scan.Options{Values: true, Progress: func(phase string, done, all int) {
		switch {
		case all == 0:
			last = phase
			counts[phase] = [2]int{}
		case phase != last || done != counts[phase][0]+1 || done > all || counts[phase][1] != 0 && counts[phase][1] != all:
			t.Errorf("%s: %d of %d after %v, in %s", phase, done, all, counts[phase], last)
		default:
			counts[phase] = [2]int{done, all}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, phase := range []string{"pointers", "threads", "locks", "races", "values"} {
		if _, ok := counts[phase]; !ok {
			t.Error("nobody was told of", phase)
		}
	}
	if n := counts["races"]; n[0] != n[1] || n[0] < 4 {
		t.Error("functions with races:", n)
	}
	if n := counts["locks"]; n[0] < 3 {
		t.Error("functions with locks:", n)
	}
}
