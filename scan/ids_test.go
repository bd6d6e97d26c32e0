package scan_test

import (
	"testing"

	"comus/scan/certificate"
)

// TestIds has threads that look at ids, which pthread_create stores before the new thread runs, but not before others do.
func TestIds(t *testing.T) {
	for _, c := range []struct {
		name, text string
		free       bool
	}{
		{"its own", "pthread_t x; static void *f(void *arg) { return (void *)(x != 0); } int main(void) { pthread_create(&x, 0, f, 0); return 0; }", true},
		{"that of an older thread", "pthread_t x, y; static void *g(void *arg) { return 0; } static void *f(void *arg) { return (void *)(y != 0); } int main(void) { pthread_create(&y, 0, g, 0); pthread_create(&x, 0, f, 0); return 0; }", true},
		{"that of a younger thread", "pthread_t x, y; static void *g(void *arg) { return 0; } static void *f(void *arg) { return (void *)(y != 0); } int main(void) { pthread_create(&x, 0, f, 0); pthread_create(&y, 0, g, 0); return 0; }", false},
		{"the last one of an array", "pthread_t x[4]; static void *f(void *arg) { return (void *)(x[3] != 0); } int main(void) { for (int i = 0; i < 4; i++) pthread_create(&x[i], 0, f, 0); return 0; }", false},
		{"that in a neighbour's element", "struct th { pthread_t id; int a; } x[8]; static void *f(void *arg) { struct th *k = arg; k->id = k->id; return 0; } int main(void) { for (int i = 0; i < 4; i++) pthread_create(&x[i].id, 0, f, &x[i + 1]); return 0; }", false},
		{"of C11", "thrd_t x, y; static int g(void *arg) { return 0; } static int f(void *arg) { return y != 0; } int main(void) { thrd_create(&x, f, 0); thrd_create(&y, g, 0); return 0; }", false},
	} {
		for _, reason := range []string{certificate.Ordered, certificate.Apart, certificate.Own} {
			forges(t, c.name, "#include <pthread.h>\n#include <threads.h>\n"+c.text+"\n", reason, c.free)
		}
	}
}
