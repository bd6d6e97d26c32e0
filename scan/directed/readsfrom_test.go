package directed_test

import (
	"fmt"
	"strings"
	"testing"

	"comus/cir/interp"
	"comus/scan/directed"
)

// TestReadsFrom has programs that fail only if several reads see writes that are soon overwritten, one after the other: each that does is seen to be seldom, and kept. In the last one a read cannot see what it would
// have to.
func TestReadsFrom(t *testing.T) {
	const text = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int v[9];
void *writer(void *p) { WRITES return 0; }
void *reader(void *p) { READS assert(0); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, writer, 0); pthread_create(&u, 0, reader, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }
`
	for _, c := range []struct {
		stages int
		fails  bool
	}{{1, true}, {3, true}, {5, true}, {5, false}} {
		var writes, reads strings.Builder
		for i := range c.stages {
			fmt.Fprintf(&writes, "v[%d] = 1; v[%d] = 0;\n", i, i)
			fmt.Fprintf(&reads, "if (v[%d] != 1) return 0;\n", i)
		}
		if !c.fails {
			reads.WriteString("if (v[0] != 1) return 0;\n")
		}
		p := read(t, strings.NewReplacer("WRITES", writes.String(), "READS", reads.String()).Replace(text))
		target := directed.Target{End: func(res *interp.Result) bool { return res.Outcome == interp.AssertFails }}
		runs := map[int]int{}
		for _, feedback := range []int{0, 1} {
			stats := &directed.Stats{}
			found, err := directed.For(t.Context(), p, []directed.Target{target}, directed.Options{Feedback: feedback, Random: 500, Directed: -1, Stats: stats})
			if err != nil {
				t.Fatal(err)
			}
			if runs[feedback] = stats.Runs; (found[0].Execution != nil) != c.fails && (feedback == 1 || !c.fails) {
				t.Errorf("%+v: %v", c, found[0].Execution != nil)
			}
		}
		if c.fails && runs[1] >= runs[0] {
			t.Errorf("%+v: %v", c, runs)
		}
	}
}
