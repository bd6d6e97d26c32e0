package comus_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"comus/comus"
	"comus/seqmc"
)

// TestEvidentlyFree looks when it is proved, instead of assumed, that a program has no data race, and whether the check of
// its certificate says the same.
func TestEvidentlyFree(t *testing.T) {
	const assumed = "the program has no data race"
	for _, c := range []struct {
		name, add string
		proved    bool
	}{
		{"locked", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", true},
		{"atomic", "atomic_fetch_add(&a, 1);", true},
		{"racing", "x = 1;", false},
	} {
		file := filepath.Join(t.TempDir(), c.name+".c")
		src := "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint x; _Atomic int a;\n" +
			"void *f(void *p) { " + c.add + " return 0; }\n" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); assert(x <= 2 && a <= 2); }\n"
		if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		res, err := comus.Verify(context.Background(), file, comus.Options{Strategy: "modular"})
		if err != nil || res.Verdict != seqmc.Safe || res.Certificate == nil {
			t.Fatalf("%s: %v, %v", c.name, res, err)
		}
		again, err := comus.Check(context.Background(), file, res.Certificate)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*comus.Result{res, again} {
			if slices.Contains(r.Assumptions, assumed) == c.proved || (len(r.Proved) == 1) != c.proved {
				t.Errorf("%s: assumed %q, proved %q", c.name, r.Assumptions, r.Proved)
			}
		}
		if slices.Contains(res.Certificate.Assumptions, assumed) == c.proved {
			t.Errorf("%s: the certificate assumes %q", c.name, res.Certificate.Assumptions)
		}
	}
}
