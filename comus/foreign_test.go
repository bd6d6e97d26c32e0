package comus_test

import (
	"slices"
	"testing"

	"comus/comus"
	"comus/seqmc"
)

// foreigns are programs that get the address of something of their own back from outside, with what a proof that this does not matter has to say, of engines and of
// claims about values.
var foreigns = map[string]struct{ src, said, scanned string }{
	"a pipe": {`int x; int main(void) { int fd[2], *p = &x, *q; if (pipe(fd)) return 0; write(fd[1], &p, sizeof p); if (read(fd[0], &q, sizeof q) != sizeof q) return 0; *q = 1; assert(x == 0); }`,
		"a write through a pointer from outside changes no object of the program", "a write through a pointer from outside changes no object of the program"},
	"a file": {`int x; int main(void) { int *p = &x, *q; FILE *f = tmpfile(); if (!f) return 0; fwrite(&p, sizeof p, 1, f); rewind(f); if (fread(&q, sizeof q, 1, f) != 1) return 0; *q = 1; assert(x == 0); }`,
		"a write through a pointer from outside changes no object of the program", "a write through a pointer from outside changes no object of the program"},
	"text": {`int x; int main(void) { char b[40]; int *q = 0; sprintf(b, "%p", (void *)&x); sscanf(b, "%p", (void **)&q); if (q) *q = 1; assert(x == 0); }`,
		"a write through a pointer from outside changes no object of the program", "a write through a pointer from outside changes no object of the program"},
	"a symbol": {`int x; int main(void) { int *p = dlsym(0, "x"); if (p) *p = 1; assert(x == 0); }`,
		"'dlsym' returns no address of an object or function of the program", "'dlsym' returns no address of an object or function of the program"},
	"a function": {`int x; int main(void) { void (*f)(void) = (void (*)(void))dlsym(0, "f"); if (f) f(); assert(x == 0); }`,
		"a call through a pointer from outside calls no function of the program", "a call through a pointer from outside calls no function of the program"},
}

// TestPointersFromOutside: that an address comes back from outside is not followed, which proofs say.
func TestPointersFromOutside(t *testing.T) {
	for name, f := range foreigns {
		t.Run(name, func(t *testing.T) {
			src := "#include <assert.h>\n#include <dlfcn.h>\n#include <stdio.h>\n#include <unistd.h>\n" + f.src
			for strategy, said := range map[string]string{"": f.said, scanStrategy: f.scanned} {
				res := verified(t, src, comus.Options{Strategy: strategy})
				if name == "text" && res.Verdict == seqmc.Unsafe { // a run of the program shows it
					continue
				}
				if res.Verdict != seqmc.Unknown && (res.Verdict != seqmc.Safe || !slices.Contains(res.Assumptions, said)) {
					t.Errorf("%q: %s %q", strategy, res.Verdict, res.Assumptions)
				}
			}
		})
	}
}
