package specialise_test

import (
	"strings"
	"testing"

	"comus/specialise"
)

// TestVLABound looks at how many bytes an array of variable length has at most: of elements, whatever the array is of.
func TestVLABound(t *testing.T) {
	for decl, most := range map[string]string{"int a[n]": "<= 32)", "int a[n][n]": "<= 32)", "char a[n][n][2]": "<= 16)", "struct { long x; char y; } a[n][n]": "<= 128)"} {
		p := mustParse(t, `extern int __VERIFIER_nondet_int(void); int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) return 0; `+decl+`; return sizeof a > 3; }`, specialise.Options{}).Program
		if len(p.Bounded) != 1 || !strings.Contains(p.Bounded[0], "at most 8 elements") {
			t.Errorf("%s: %q", decl, p.Bounded)
		}
		if text := p.String(); !strings.Contains(text, most) {
			t.Errorf("%s: no %s in\n%s", decl, most, text)
		}
	}
}
