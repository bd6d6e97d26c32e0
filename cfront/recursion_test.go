package cfront

import (
	"strings"
	"testing"
)

// TestRecursionBound checks when calls within one another are cut off.
func TestRecursionBound(t *testing.T) {
	const nondet = "int __VERIFIER_nondet_int(void); "
	for _, c := range []struct{ src, want string }{
		{"int f(int n) { return n < 2 ? 1 : n * f(n - 1); } int main(void) { return f(20); }", ""},
		{"int f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); } int main(void) { return f(6); }", ""},
		{"int f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); } int main(void) { return f(9); }", "at most 8 calls of 'f' within one another at t.c:1:5"},
		{nondet + "int f(int n) { return n < 2 ? 1 : n * f(n - 1); } int main(void) { return f(__VERIFIER_nondet_int()); }", "at most 8 calls of 'f' within one another at t.c:1:38"},
		{nondet + "int f(int n) { return n < 2 ? n : f(n - 1); } int main(void) { return f(__VERIFIER_nondet_int()); }", ""},
		{"void g(int); void f(int n) { g(n); } void g(int n) { f(n); } int main(void) { f(1); }", "at most 8 calls of 'f' within one another at t.c:1:19"},
	} {
		p := mustParse(t, c.src, Options{Overflow: OverflowWrap}).Program
		if got := strings.Join(p.Bounded, "|"); got != c.want {
			t.Errorf("%s: %q", c.src, got)
		}
	}
}

// TestUnknownLength checks that arrays whose length is not known are cut off.
func TestUnknownLength(t *testing.T) {
	src := "int __VERIFIER_nondet_int(void); int main(void) { int n = __VERIFIER_nondet_int(); int a[n]; a[0] = 1; int m = 3, c[m]; return c[0]; }"
	p := mustParse(t, src, Options{MaxThreads: 12}).Program
	if got := strings.Join(p.Bounded, "|"); got != "at most 12 elements of the variable length array at t.c:1:90" {
		t.Error(got)
	}
}
