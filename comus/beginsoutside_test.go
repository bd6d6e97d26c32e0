package comus

import (
	"context"
	"strings"
	"testing"
	"time"

	"comus/seqmc"
	"comus/specialise"
)

// TestBeginsOutside: a thread that begins with a function outside of the program may access what it is given. The twins give it something else.
func TestBeginsOutside(t *testing.T) {
	const program = "#include <pthread.h>\n#include <dlfcn.h>\nstatic int g, h; extern void *outside(void *); int main(void) { pthread_t t; pthread_create(&t, 0, START, ARG); g = 1; return 0; }"
	for _, start := range []string{"outside", `(void *(*)(void *))dlsym(0, "f")`} {
		for _, strategy := range []string{"explore", "scan"} {
			for _, arg := range []string{"&g", "&h"} {
				safe := arg == "&h"
				src := strings.NewReplacer("START", start, "ARG", arg).Replace(program)
				ctx, stop := t.Context(), func() {}
				if !safe { // nothing decides it, and a scan looks for long
					ctx, stop = context.WithTimeout(ctx, time.Second)
				}
				res, err := Verify(ctx, source(t, src), Options{Strategy: strategy, Question: specialise.Options{Check: specialise.Checks{NoAssert: true, Race: true}}})
				if stop(); err != nil {
					t.Fatal(err)
				}
				if (res.Verdict == seqmc.Safe) != safe || res.Internal != nil {
					t.Errorf("%s: %s is given %s: %v: %s", strategy, start, arg, res.Verdict, res.Reason)
				}
			}
		}
	}
}
