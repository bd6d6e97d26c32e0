package comus

import (
	"context"
	"testing"
	"time"

	"comus/internal/long"
	"comus/specialise"
)

// everyRaceTests are programs with any number of threads that access memory by their arguments.
var everyRaceTests = []struct {
	name, text string
	proved     bool
}{
	{"an element each", `void *f(void *a) { long i = (long)a; data[i] = 1; return 0; }
int main(void) { pthread_t p; int n = __VERIFIER_nondet_int(); data = malloc(n * sizeof *data); for (long i = 0; i < n; i++) pthread_create(&p, 0, f, (void *)i); return 0; }`, true},
	{"from the last on", `void *work(void *a) { data[(long)a] = 1; return 0; }
int main(void) { pthread_t p; long k = __VERIFIER_nondet_int(); data = malloc(k * sizeof *data); while (k > 0) { k--; pthread_create(&p, 0, work, (void *)k); } return 0; }`, true},
	{"an element for two", `void *f(void *a) { long i = (long)a; data[i / 2] = 1; return 0; }
int main(void) { pthread_t p; int n = __VERIFIER_nondet_int(); data = malloc(n * sizeof *data); for (long i = 0; i < n; i++) pthread_create(&p, 0, f, (void *)i); return 0; }`, false},
	{"main writes, too", `void *f(void *a) { long i = (long)a; data[i] = 1; return 0; }
int main(void) { pthread_t p; int n = __VERIFIER_nondet_int(); data = malloc(n * sizeof *data); for (long i = 0; i < n; i++) { pthread_create(&p, 0, f, (void *)i); data[i] = 2; } return 0; }`, false},
	{"main writes before", `void *f(void *a) { long i = (long)a; data[i] = 1; return 0; }
int main(void) { pthread_t p; int n = __VERIFIER_nondet_int(); data = malloc(n * sizeof *data); for (long i = 0; i < n; i++) { data[i] = 2; pthread_create(&p, 0, f, (void *)i); } return 0; }`, true},
	{"not all are joined", `void *f(void *a) { x = 1; return 0; }
int main(void) { int n = __VERIFIER_nondet_int(); pthread_t *p = malloc(n * sizeof *p); for (int i = 0; i < n; i++) { pthread_mutex_lock(&m); pthread_create(&p[i], 0, f, 0); pthread_mutex_unlock(&m); }
for (int i = 1; i < n; i++) pthread_join(p[i], 0); return x; }`, false},
}

// TestRaceFreeForEvery asks about races of any number of threads: what is proved is checked, and what races is not proved.
func TestRaceFreeForEvery(t *testing.T) {
	t.Parallel() // with others that take long, when the rest is done
	for _, tt := range everyRaceTests {
		t.Run(tt.name, func(t *testing.T) {
			long.OneOf(t, 5)
			limit := 4 * time.Second
			if tt.proved {
				limit = 2 * time.Minute
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			file := source(t, "#include <stdlib.h>\nint *data;\n"+everyHead+tt.text)
			res := asked(t, file, Options{Question: specialise.Options{Check: specialise.Checks{NoAssert: true, Race: true}}}).askEvery(ctx)
			if (res != nil) != tt.proved {
				t.Fatalf("proved: %v", res != nil)
			}
			if res == nil {
				return
			}
			if _, err := Check(t.Context(), file, res.Certificate); err != nil {
				t.Error("Check:", err)
			}
		})
	}
}
