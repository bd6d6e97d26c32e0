package comus_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/comus"
	"comus/seqmc"
)

// TestLongjmpAgain goes back behind which threads and objects are made: each is one of the program taken apart, so that nothing is proved of it; runs make as many as there are. Where
// they were made before, the longjmp is an ordinary loop.
func TestLongjmpAgain(t *testing.T) {
	const head = "#include <assert.h>\n#include <pthread.h>\n#include <setjmp.h>\n#include <stdlib.h>\nstatic jmp_buf env;\nstatic int x, jumps, *first;\nstatic void *f(void *arg) { x++; return 0; }\n"
	for _, tt := range []struct {
		name, main string
		explored   seqmc.Verdict
		want       seqmc.Verdict
	}{
		{"a thread", "pthread_t t; setjmp(env); pthread_create(&t, 0, f, 0); pthread_join(t, 0); if (jumps < 1) { jumps++; longjmp(env, 1); } assert(x != 2);", seqmc.Unknown, seqmc.Unsafe},
		{"a thread, in a function", "pthread_t t; setjmp(env); start(&t); pthread_join(t, 0); again(); assert(x != 2);", seqmc.Unknown, seqmc.Unsafe},
		{"an object", "setjmp(env); int *p = malloc(sizeof *p); if (!p) return 0; if (jumps < 1) { jumps++; first = p; *p = 1; longjmp(env, 1); } *p = 2; assert(*first == 2);", seqmc.Unknown, seqmc.Unsafe},
		{"made before", "pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); setjmp(env); if (jumps < 1) { jumps++; longjmp(env, 1); } assert(x == 1);", seqmc.Safe, seqmc.Safe},
		{"made before, and wrong", "pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); setjmp(env); if (jumps < 1) { jumps++; longjmp(env, 1); } assert(x == jumps + 1);", seqmc.Unsafe, seqmc.Unsafe},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
			defer stop()
			text := head + "static void start(pthread_t *t) { pthread_create(t, 0, f, 0); }\nstatic void again(void) { if (jumps < 1) { jumps++; longjmp(env, 1); } }\nint main(void) { " + tt.main + " return 0; }\n"
			file := filepath.Join(t.TempDir(), "p.c")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for strategy, want := range map[string]seqmc.Verdict{"explore": tt.explored, comus.Auto: tt.want} {
				res, err := comus.Verify(ctx, file, comus.Options{Strategy: strategy})
				if err != nil {
					t.Fatal(err)
				}
				if res.Verdict != want || want == seqmc.Unknown && !strings.Contains(res.Reason, "goes back") {
					t.Errorf("%s: %v (%s) instead of %v", strategy, res.Verdict, res.Reason, want)
				}
			}
		})
	}
}
