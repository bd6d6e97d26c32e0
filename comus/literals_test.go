package comus_test

import (
	"fmt"
	"testing"

	"comus/comus"
	"comus/internal/long"
	"comus/seqmc"
)

// TestLiteralsApart: a string literal may lie in another one that ends like it (as gcc -O2 has it); others, and arrays, lie apart.
func TestLiteralsApart(t *testing.T) {
	long.Only(t)
	const src = "#include <assert.h>\nstatic const char a[] = \"xabc\";\nint main(void) { const char *p = %s, *q = \"abc\"; assert(p + 1 != q); }\n"
	for text, want := range map[string]seqmc.Verdict{`"xabc"`: seqmc.Unknown, `"xabd"`: seqmc.Safe, `"abcd"`: seqmc.Safe, "a": seqmc.Safe} {
		if res := verified(t, fmt.Sprintf(src, text), comus.Options{}); res.Verdict != want {
			t.Errorf("%s: %s %s", text, res.Verdict, res.Reason)
		}
	}
}
