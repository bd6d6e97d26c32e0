package specialise_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"comus/specialise"
)

// unsettled are programs with races or deadlocks whose states say nothing: they are too many, or depend on
// approximations of what the library does, or on addresses. TestUnsettled of package comus decides them, or the tests of check/waits.
var unsettled = map[string]bool{
	"getenv_unsafe.c": true, "getenv_result_safe.c": true, "getenv_result_unsafe.c": true, "localtime_result_safe.c": true, "localtime_safe.c": true, "setlocale_safe.c": true, "stream_lock_safe.c": true, "stream_shared_safe.c": true,
	"buffer_one_condition_safe.c": true, "buffer_one_condition_unsafe.c": true, "closed_queue_safe.c": true, "closed_queue_unsafe.c": true, "input_order_safe.c": true, "join_cycle_unsafe.c": true, "memset_untracked_unsafe.c": true,
	"string_each_safe.c": true, "barrier_many_safe.c": true, "barrier_many_unsafe.c": true,
}

// TestProperties decides the programs with data races and deadlocks, and those that differ from them only by not having one.
func TestProperties(t *testing.T) {
	for _, folder := range []string{"race", "deadlock"} {
		t.Run(folder, func(t *testing.T) {
			i := 0
			programs(t, folder, func(t *testing.T, file string) {
				if i++; testing.Short() && i%24 != 0 || unsettled[filepath.Base(file)] {
					return
				}
				want, checks := expectation(t, file)
				if checks == (specialise.Checks{}) {
					t.Fatal("no property is named")
				}
				if got, _ := decide(file, true, specialise.Options{Check: checks}); got != want {
					t.Errorf("%s instead of %s", got, want)
				}
			})
		})
	}
}

// TestUntrackedLocks has locks in memory that is not tracked, which may be in each other's way.
func TestUntrackedLocks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	text := `#include <pthread.h>
		extern pthread_spinlock_t *get(int);
		pthread_spinlock_t *p, *q;
		void *f(void *arg) { pthread_spin_lock(q); pthread_spin_lock(p); pthread_spin_unlock(p); pthread_spin_unlock(q); return 0; }
		int main(void) { pthread_t t; p = get(0); q = get(1); pthread_create(&t, 0, f, 0);
		pthread_spin_lock(p); pthread_spin_lock(q); pthread_spin_unlock(q); pthread_spin_unlock(p); pthread_join(t, 0); return 0; }`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _ := decide(file, true, specialise.Options{Check: specialise.Checks{NoAssert: true, Deadlock: true}}); got == "SAFE" {
		t.Error("SAFE")
	}
}

// TestStreamLocks has functions without a body that wait for the lock of a stream, or of another one.
func TestStreamLocks(t *testing.T) {
	for call, want := range map[string]string{"putwchar(L'x')": "UNSAFE", "fputwc(L'x', stdout)": "UNSAFE", "fputwc(L'x', stderr)": "SAFE", "fwide(stdin, 1)": "SAFE",
		"warnx(\"x\")": "SAFE", "putwchar_unlocked(L'x')": "SAFE"} {
		file := filepath.Join(t.TempDir(), "p.c")
		text := `#define _GNU_SOURCE
			#include <pthread.h>
			#include <stdio.h>
			unsigned putwchar(int), fputwc(int, FILE *), putwchar_unlocked(int);
			int fwide(FILE *, int);
			void warnx(const char *, ...);
			void *f(void *arg) { ` + call + `; return 0; }
			int main(void) { pthread_t t; flockfile(stdout); pthread_create(&t, 0, f, 0); pthread_join(t, 0); funlockfile(stdout); return 0; }`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, _ := decide(file, true, specialise.Options{Check: specialise.Checks{NoAssert: true, Deadlock: true}}); got != want {
			t.Errorf("%s: %s", call, got)
		}
	}
}

// TestOpenedStreams has such functions wait for streams that are opened, or not known. That it hangs if the lock is not given back, glibc agrees.
func TestOpenedStreams(t *testing.T) {
	for _, c := range []struct{ stream, unlock, want string }{
		{`fopen("/dev/null", "w")`, "", "UNSAFE"},
		{`fopen("/dev/null", "w")`, "funlockfile(file);", "SAFE"},
		{`given()`, "", "UNSAFE"}, // an approximation
	} {
		file := filepath.Join(t.TempDir(), "p.c")
		text := `#include <pthread.h>
			#include <stdio.h>
			unsigned fputwc(int, FILE *);
			FILE *given(void), *file;
			void *f(void *arg) { flockfile(file); ` + c.unlock + ` return 0; }
			int main(void) { pthread_t t; if (!(file = ` + c.stream + `)) return 1;
			pthread_create(&t, 0, f, 0); pthread_join(t, 0); fputwc('x', file); return 0; }`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, _ := decide(file, true, specialise.Options{Check: specialise.Checks{NoAssert: true, Deadlock: true}}); got != c.want {
			t.Errorf("%s %s: %s", c.stream, c.unlock, got)
		}
	}
}

var threadFunction = regexp.MustCompile(`(?m)^(?:static )?void \*\w+\(void \*\w*\) \{\n`)

// TestRelaxed decides the programs with races, and those without, once more with an access beside that is relaxed: then happens-before is
// tracked, which does not change anything.
func TestRelaxed(t *testing.T) {
	i := 0
	programs(t, "race", func(t *testing.T, file string) {
		if i++; i%4 != 0 || unsettled[filepath.Base(file)] {
			return
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(string(src), "#define _GNU_SOURCE\n", "", 1)
		at := threadFunction.FindStringIndex(text)
		if at == nil {
			return
		}
		text = "#define _GNU_SOURCE\n#include <stdatomic.h>\nstatic _Atomic int beside;\n" + text[:at[1]] +
			"atomic_store_explicit(&beside, 1, memory_order_relaxed);\n" + text[at[1]:]
		changed := filepath.Join(t.TempDir(), filepath.Base(file))
		if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want, checks := expectation(t, file)
		if got, _ := decide(changed, true, specialise.Options{Check: checks}); got != want {
			t.Errorf("%s instead of %s", got, want)
		}
	})
}
