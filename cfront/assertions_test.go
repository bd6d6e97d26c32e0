package cfront

import "testing"

// TestHasAssertions looks for assertions in the source, even those that turn out
// to hold while it is read.
func TestHasAssertions(t *testing.T) {
	for _, c := range []struct {
		src  string
		want bool
	}{
		{"#include <assert.h>\nint main(void) { int x = 1; assert(x == 1); }", true},
		{"#include <assert.h>\nint main(void) { return 0; }", false},
		{"#include <assert.h>\nvoid f(int x) { assert(x); } int main(void) { return 0; }", false},
		{"#include <assert.h>\nvoid f(int x) { assert(x); } int main(void) { f(1); }", true},
		{"#include <assert.h>\nvoid f(void) { assert(1); } int main(void) { (*f)(); }", true},
		{"void reach_error(void) {} void check(int c) { if (!c) reach_error(); } int main(void) { check(1); }", true},
		{"extern void __VERIFIER_assert(int); int main(void) { __VERIFIER_assert(1); }", true},
		{"int main(void) { int x = 0; if (x) { ERROR: x = 1; } }", true},
		{"#include <pthread.h>\n#include <assert.h>\nvoid *f(void *p) { assert(1); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); }", true},
	} {
		if got := mustParse(t, c.src, Options{}).HasAssertions; got != c.want {
			t.Errorf("%s: %v", c.src, got)
		}
	}
}
