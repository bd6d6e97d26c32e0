package replay_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"comus/internal/long"
)

// inputs gives the plain programs inputs at random, small ones and the limits of types.
const inputs = `#include <limits.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static long drawn(void) {
  static unsigned state;
  static const long some[] = {0, 1, 2, 3, -1, 5, 7, 8, 9, 10, 16, 31, 32, 33, 63, 64, 100, INT_MAX, INT_MIN, 255, 256, 1000, -2, 4};
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  state = (state ^ (unsigned)t.tv_nsec) * 2654435761u;
  return some[(state >> 11) % (sizeof some / sizeof *some)];
}
#define INPUT(type, name) __attribute__((weak)) type __VERIFIER_nondet_##name(void) { return drawn(); }
INPUT(_Bool, bool) INPUT(int, int) INPUT(unsigned, uint) INPUT(long, long) INPUT(unsigned long, ulong) INPUT(unsigned long, size_t)
INPUT(char, char) INPUT(short, short) INPUT(unsigned char, uchar)
__attribute__((weak)) void __VERIFIER_assume(int c) { if (!c) _exit(0); }
__attribute__((constructor)) static void limited(void) { alarm(3); }
`

// silent are programs whose violations the sanitizers do not see, or not in each run, and why.
var silent = map[string]string{
	"array_ended": "storage of an array of variable length", "stack_ended": "what alloca returns", "block_again": "the same storage again",
	"bsearch_elements": "it happens not to compare them", "index_pointer": "it needs arguments", "union_member": "a member of the same object",
	"jumped_over": "longjmp ends the function's protection", "overlap_elements": "a copy of a struct", "overlap_length": "no access of another object",
	"overlap_sprintf": "not looked at", "read_too_much": "the input is empty", "temporary": "not protected", "temporary_condition": "not protected",
	"thread_own": "storage of threads", "unset_atomic": "not looked at", "unset_precision": "not looked at", "unset_printed": "not looked at",
	"unset_signals": "not looked at (but by valgrind)", "unset_sleep": "not looked at (but by valgrind)",
	"unset_published": "the schedule", "unset_written_part": "the input is empty", "overwritten": "the pointer is still in a register",
	"duplicate": "now and then the pointer is still somewhere", "exit_frame": "now and then the pointer is still somewhere",
	"struct_member":   "the pointer is still on the stack",
	"free_while_used": "the schedule", "other_thread_stack": "the schedule", "published_local": "the schedule", "threads_divisor": "the schedule",
	"unset_branch": "the input", "unset_element": "the input", "unset_flagged": "the input", "unset_join": "the input", "unset_list": "the input",
}

// alarms are programs without violations that sanitizers report something in, and why.
var alarms = map[string]string{"unset_record_safe": "the padding of what is written out"}

// TestPlain runs the programs with leaks, overflows and errors of memory, and those without, as they are: the sanitizers report the
// former in each run, and never the latter. COMUS_RUNS says how many runs of each there are; without it some programs run once.
func TestPlain(t *testing.T) {
	runs, every := 1, long.N(11, 88)
	if n, err := strconv.Atoi(os.Getenv("COMUS_RUNS")); err == nil {
		runs, every = n, 1
	}
	dir := t.TempDir()
	harness := filepath.Join(dir, "inputs.c")
	if err := os.WriteFile(harness, []byte(inputs), 0o600); err != nil {
		t.Fatal(err)
	}
	k := 0
	for _, folder := range []string{"memory", "leak", "overflow"} {
		files, err := filepath.Glob("../cfront/testdata/" + folder + "/*.c")
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		for _, file := range files {
			if k++; k%every != 0 {
				continue
			}
			t.Run(folder+"/"+strings.TrimSuffix(filepath.Base(file), ".c"), func(t *testing.T) {
				seen, last := plainRuns(t, file, harness, folder, runs)
				name, unsafe := strings.CutSuffix(strings.TrimSuffix(filepath.Base(file), ".c"), "_unsafe")
				switch {
				case !unsafe && seen > 0 && alarms[name] == "":
					t.Errorf("reported in %d of %d runs: %s", seen, runs, last)
				case unsafe && seen < runs && silent[name] == "":
					t.Errorf("reported in %d of %d runs only", seen, runs)
				}
			})
		}
	}
}

// plainRuns compiles a program with the sanitizers of its property and returns how many of some runs they report something in, and the last
// such report.
func plainRuns(t *testing.T, file, harness, folder string, runs int) (seen int, last string) {
	cc := []string{"gcc", "-fsanitize=address,undefined"}
	if strings.HasPrefix(filepath.Base(file), "unset_") {
		cc = []string{"clang", "-fsanitize=memory"}
		if _, err := exec.LookPath(cc[0]); err != nil {
			t.Skip("no clang here, whose sanitizer sees what is not initialised")
		}
	}
	exe := filepath.Join(t.TempDir(), "p")
	args := append(cc[1:], "-w", "-g", "-O0", "-fno-omit-frame-pointer", file, harness, "-o", exe, "-lpthread", "-lm")
	if out, err := exec.Command(cc[0], args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for range runs {
		cmd := exec.Command(exe)
		leaks := 0
		if folder == "leak" {
			leaks = 1
		}
		cmd.Env = append(os.Environ(), fmt.Sprintf("ASAN_OPTIONS=detect_stack_use_after_return=1:detect_leaks=%d", leaks))
		out, _ := cmd.CombinedOutput()
		if s := string(out); strings.Contains(s, "Sanitizer") || strings.Contains(s, "runtime error") {
			seen, last = seen+1, s
		}
	}
	return seen, last
}
