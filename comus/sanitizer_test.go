package comus_test

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/internal/long"
	"comus/internal/randprog"
	"comus/specialise"
)

var (
	tsanPrograms = flag.Int("comus.tsan", 6, "number of random programs to run under ThreadSanitizer")
	tsanRuns     = flag.Int("comus.tsanruns", 10, "how often to run each of them")
	tsanSeed     = flag.Uint64("comus.tsanseed", 70_000, "first seed of these programs")
)

// inputs gives a program for ThreadSanitizer its inputs, and stops it where they are not wanted. TSAN_OPTIONS makes the exit code of
// a race one of its own.
const inputs = `#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static unsigned drawn(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return (unsigned)t.tv_nsec * 2654435761u >> 13; }
_Bool __VERIFIER_nondet_bool(void) { return drawn() & 1; }
int __VERIFIER_nondet_int(void) { return (int)(drawn() % 5) - 1; }
void __VERIFIER_assume(int c) { if (!c) _exit(0); }
void __attribute__((constructor)) limited(void) { alarm(2); }
`

// TestThreadSanitizer runs random programs that the default engine calls free of data races: ThreadSanitizer, which knows nothing of
// comus, finds none, either.
func TestThreadSanitizer(t *testing.T) {
	long.Only(t)
	dir := t.TempDir()
	harness := filepath.Join(dir, "inputs.c")
	if err := os.WriteFile(harness, []byte(inputs), 0o600); err != nil {
		t.Fatal(err)
	}
	checks := specialise.Checks{NoAssert: true, Race: true}
	tally := map[string]int{}
	for i := range *tsanPrograms {
		text := randprog.Synchronised(*tsanSeed + uint64(i))
		verdict, err := decided(t.Context(), text, checks, "")
		if err != nil {
			t.Fatal(err)
		}
		src, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
		if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("gcc", "-w", "-g", "-O1", "-fsanitize=thread", src, harness, "-o", exe, "-lpthread", "-latomic").CombinedOutput(); err != nil {
			if i == 0 && strings.Contains(string(out), "tsan") {
				t.Skip("no ThreadSanitizer here")
			}
			t.Fatalf("%v\n%s\n%s", err, out, text)
		}
		seen := ""
		runs := *tsanRuns
		if verdict == "UNSAFE" { // nothing can be wrong: how often it is seen
			runs = min(runs, 10)
		}
		for n := 0; n < runs && seen == ""; n++ {
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second) // its own alarm does not always end a program that hangs
			cmd := exec.CommandContext(ctx, exe)
			cmd.Env = append(os.Environ(), "TSAN_OPTIONS=halt_on_error=1 report_thread_leaks=0 report_destroy_locked=0 report_mutex_bugs=0")
			out, _ := cmd.CombinedOutput()
			stop()
			if strings.Contains(string(out), "WARNING: ThreadSanitizer: data race") {
				seen = string(out)
			}
			if !cmd.ProcessState.Exited() { // it hangs: once is enough
				break
			}
		}
		race := "no race"
		if seen != "" {
			race = "race"
		}
		tally[short(verdict)+", "+race]++
		if seen != "" && verdict == "SAFE" {
			t.Errorf("seed %d: SAFE, but\n%s\n%s", *tsanSeed+uint64(i), seen, text)
		}
	}
	t.Log(tally)
}
