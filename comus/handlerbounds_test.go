package comus_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"comus/comus"
	"comus/seqmc"
)

// TestHandlerBounds has handlers that do with the thread they interrupt what is not followed: they end it, give back its locks, or leave it some. Nothing is proved of such a program, all of which fail.
func TestHandlerBounds(t *testing.T) {
	const head = "#include <assert.h>\n#include <pthread.h>\n#include <signal.h>\nstatic int x;\n"
	const lock = "static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;\n"
	for name, body := range map[string]string{
		"ends":       "static void on(int s) { pthread_exit(0); }\nstatic void *f(void *a) { x = 1; x = 2; return 0; }\nint main(void) { pthread_t t; signal(SIGUSR1, on); pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x != 1); }",
		"gives back": lock + "static void on(int s) { if (!pthread_mutex_unlock(&m)) { x = 1; pthread_mutex_lock(&m); } }\nstatic void *f(void *a) { pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m); return 0; }\nint main(void) { pthread_t t; signal(SIGUSR1, on); pthread_create(&t, 0, f, 0); pthread_join(t, 0); }",
		"keeps":      lock + "static void on(int s) { if (!x++) pthread_mutex_lock(&m); }\nstatic void *f(void *a) { assert(!pthread_mutex_lock(&m)); return 0; }\nint main(void) { pthread_t t; signal(SIGUSR1, on); pthread_create(&t, 0, f, 0); pthread_join(t, 0); }",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
			defer stop()
			file := filepath.Join(t.TempDir(), "p.c")
			if err := os.WriteFile(file, []byte("#define _GNU_SOURCE\n"+head+body+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, strategy := range []string{"explore", "modular", comus.Auto} {
				res, err := comus.Verify(ctx, file, comus.Options{Strategy: strategy})
				if err != nil {
					t.Fatal(err)
				}
				if res.Verdict == seqmc.Safe || strategy != comus.Auto && res.Verdict != seqmc.Unknown {
					t.Errorf("%s: %v (%s)", strategy, res.Verdict, res.Reason)
				}
			}
		})
	}
}
