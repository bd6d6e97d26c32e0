package scan_test

import (
	"slices"
	"testing"
)

// TestOutsideSaid has threads that access memory by pointers which come from outside, be it one thread only: that this is none of the program's objects
// is said, as it could be what was sent through a pipe.
func TestOutsideSaid(t *testing.T) {
	const sentence = "pointers that code outside of the program returns, or that come out of files, pipes, sockets and texts (%p), lead to no object of the program"
	for _, c := range []struct {
		body string
		said bool
	}{
		{"int *p; read(0, &p, sizeof p); *p = 1;", true},
		{"int *p; read(0, &p, sizeof p); p = &x;", false},
		{"int *p = other(); *p = 1;", true},
		{"char b[8]; read(0, b, 8); x = b[1];", false},
	} {
		r := analyse(t, load(t, text(t, `#include <pthread.h>
#include <unistd.h>
int x;
int *other(void);
void *f(void *arg) { `+c.body+` return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; return 0; }
`)).Program)
		if slices.Contains(r.Assumptions, sentence) != c.said {
			t.Errorf("%s: %q", c.body, r.Assumptions)
		}
	}
}
