package comus_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"comus/comus"
	"comus/internal/long"
	"comus/scan/cut"
	"comus/seqmc"
	"comus/specialise"
)

// TestHandlerBounds has handlers that do with the thread they interrupt what is not followed: they end it, give back its locks, or leave it some. Nothing is proved of such a program, all of which fail.
func TestHandlerBounds(t *testing.T) {
	const head = "#include <assert.h>\n#include <pthread.h>\n#include <signal.h>\nstatic int x;\n"
	const lock = "static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;\n"
	for name, body := range map[string]string{
		"ends":         "static void on(int s) { pthread_exit(0); }\nstatic void *f(void *a) { x = 1; x = 2; return 0; }\nint main(void) { pthread_t t; signal(SIGUSR1, on); pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x != 1); }",
		"gives back":   lock + "static void on(int s) { if (!pthread_mutex_unlock(&m)) { x = 1; pthread_mutex_lock(&m); } }\nstatic void *f(void *a) { pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m); return 0; }\nint main(void) { pthread_t t; signal(SIGUSR1, on); pthread_create(&t, 0, f, 0); pthread_join(t, 0); }",
		"keeps":        lock + "static void on(int s) { if (!x++) pthread_mutex_lock(&m); }\nstatic void *f(void *a) { assert(!pthread_mutex_lock(&m)); return 0; }\nint main(void) { pthread_t t; signal(SIGUSR1, on); pthread_create(&t, 0, f, 0); pthread_join(t, 0); }",
		"is cancelled": "static void on(int s) { pthread_testcancel(); }\nstatic void *f(void *a) { x = 1; x = 2; return 0; }\nint main(void) { pthread_t t; signal(SIGUSR1, on); pthread_create(&t, 0, f, 0); pthread_cancel(t); pthread_join(t, 0); assert(x != 1); }",
		"deadlock": "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic volatile int k;\nstatic void on(int s) { if (k) while (1); }\nstatic void *f(void *a) { pthread_mutex_lock(&m); k = 1; k = 0; pthread_mutex_unlock(&m); return 0; }\n" +
			"int main(void) { pthread_t t; signal(SIGUSR1, on); pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }",
	} {
		t.Run(name, func(t *testing.T) {
			long.OneOf(t, 6)
			file := filepath.Join(t.TempDir(), "p.c")
			if err := os.WriteFile(file, []byte("#define _GNU_SOURCE\n"+head+body+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, strategy := range []string{"explore", comus.Auto} {
				ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
				opts := comus.Options{Strategy: strategy}
				if name == specialise.Deadlock { // of the one that loops for ever
					opts.Question.Check = specialise.Checks{NoAssert: true, Deadlock: true}
				}
				res, err := comus.Verify(ctx, file, opts)
				stop()
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

// TestHandlerCut leaves no call out of a program with handlers of signals: what a handler does to errno it does to that of the thread that it interrupts.
func TestHandlerCut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	text := "#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n#include <signal.h>\nstatic void on(int s) { errno = 7; }\nstatic void *f(void *a) { errno = 0; assert(errno == 0); return 0; }\n" +
		"int main(void) { pthread_t t; signal(SIGUSR1, on); pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := comus.Open(t.Context(), comus.File(file), comus.Options{}.Source)
	if err != nil {
		t.Fatal(err)
	}
	about, err := specialise.AboutAssertions(source.Program(), specialise.Assertions(source.Program()))
	if err != nil {
		t.Fatal(err)
	}
	for depth := cut.None + 1; depth < cut.Depths; depth++ {
		res, err := source.Verify(t.Context(), comus.Options{Question: specialise.Options{About: about, Cut: depth}})
		if err != nil || res.Verdict == seqmc.Safe {
			t.Errorf("depth %d: %v, %v", depth, res, err)
		}
	}
}
