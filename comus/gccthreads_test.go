package comus_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir/explore"
)

var (
	gccPrograms = flag.Int("comus.gcc", 10, "number of random programs with threads to run compiled")
	gccRuns     = flag.Int("comus.gccruns", 20, "how often to run each of them")
	gccDeny     = flag.Int("comus.gccdeny", 4, "how many different results of one program the explorer has to find")
)

// harness runs the main function of a program in many processes, in which threads take
// turns at random places, on one processor: that is sequential consistency. A line of
// its output is what came of one of them: "obs" and values, or "fail" after an
// assertion; none if it did not end in time.
const harness = `#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/time.h>
#include <sys/wait.h>

int program_main(void);
static unsigned first;
static int ids;
static volatile unsigned passed; // calls of Y by all threads: the others go on while one waits for it to grow
static _Thread_local unsigned state;
static unsigned draw(void) {
    if (!state) state = first + 2654435761u * (unsigned)__sync_add_and_fetch(&ids, 1);
    state += 0x9e3779b9; // then mixed, so that nearby states give different numbers
    unsigned n = state;
    n = (n ^ n >> 16) * 0x85ebca6b;
    n = (n ^ n >> 13) * 0xc2b2ae35;
    return n ^ n >> 16;
}
void Y(void) {
    static _Thread_local unsigned rate; // how slow the thread is
    if (!rate) rate = 1 + draw() % 6;
    unsigned n = __sync_add_and_fetch(&passed, 1) + 1 + draw() % 4;
    if (draw() % 8 >= rate) return;
    for (int i = 0; i < 4 && (int)(n - passed) > 0; i++) usleep(20);
}
static void say(const char *s) { if (write(1, s, strlen(s))) _exit(0); }
void observe(int count, const int *values) {
    char line[1000] = "obs";
    for (int i = 0; i < count; i++) sprintf(line + strlen(line), " %d", values[i]);
    say(strcat(line, "\n"));
}
void check(int c) { if (!c) say("fail\n"); }
_Bool __VERIFIER_nondet_bool(void) { return draw() >> 7 & 1; }
void __VERIFIER_assume(int c) { if (!c) _exit(0); }
int main(int argc, char **argv) {
    cpu_set_t one;
    sched_getaffinity(0, sizeof one, &one);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &one)) cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one)) return 1;
    int hangs = 0;
    for (int i = 0; i < atoi(argv[1]) && hangs < 10; i++) {
        int pid = fork(), status;
        if (pid == 0) {
            struct itimerval t = {{0, 0}, {0, 150000}};
            setitimer(ITIMER_REAL, &t, 0);
            first = 7919u * (unsigned)(i + 1) + (unsigned)getpid();
            program_main();
            _exit(0);
        }
        if (pid < 0) return 1;
        waitpid(pid, &status, 0);
        if (!WIFEXITED(status)) hangs++;
    }
    return 0;
}
`

// compiledFeatures returns what the compiled program of a seed may contain: nothing
// that a compiler cannot do, like atomic sections of several statements, and no
// infinite loops.
func compiledFeatures(seed uint64) randprog.Feature {
	if *fuzzFeatures != 0 {
		return randprog.Feature(*fuzzFeatures) &^ (randprog.Atomics | randprog.Servers)
	}
	basic := randprog.Basic
	if seed%3 == 0 {
		basic = randprog.Full &^ randprog.Crowds
	}
	out := (basic | randprog.More) &^ (randprog.Atomics | randprog.Servers)
	if seed%4 > 0 { // many of these have no end, or an unlikely one
		out &^= randprog.Awaits | randprog.Assumes
	}
	return out
}

// TestAgainstCompiled runs random programs with threads: an assertion that fails has to
// be one that the explorer finds too, and what main sees at its end an execution that
// the explorer finds.
func TestAgainstCompiled(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	object := filepath.Join(dir, "harness.o")
	if err := os.WriteFile(filepath.Join(dir, "harness.c"), []byte(harness), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-std=gnu11", "-w", "-c", "-o", object, filepath.Join(dir, "harness.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sum := compiledSum{start: time.Now()}
	n := *gccPrograms
	if flag.Lookup("comus.gcc").DefValue == strconv.Itoa(n) {
		n = long.N(n, 4)
	}
	for i := range n {
		compareCompiled(t, dir, cc, object, *fuzzSeed+uint64(i), &sum)
		if i%100 == 99 {
			fmt.Println(sum)
		}
	}
	fmt.Println(sum)
	if sum.ended < n {
		t.Errorf("only %d executions came to an end", sum.ended)
	}
}

// compiledSum counts programs by the explorer's verdict and by whether an assertion
// failed, executions that ended and in which one failed, and what the explorer said
// about the results.
type compiledSum struct {
	start                                      time.Time
	programs, refused, undecided, safe, unsafe int
	ended, failed, caught                      int
	distinct, confirmed, unconfirmed, bad      int
}

func (s compiledSum) String() string {
	return fmt.Sprintf("%.0f s: %d compiled programs (%d SAFE, %d UNSAFE, %d not decided, %d refused); %d executions ended with %d results, "+
		"%d checked and %d too large; %d assertions failed, in %d programs; %d wrong", time.Since(s.start).Seconds(), s.programs, s.safe, s.unsafe,
		s.undecided, s.refused, s.ended, s.distinct, s.confirmed, s.unconfirmed, s.failed, s.caught, s.bad)
}

// compareCompiled compares one program.
func compareCompiled(t *testing.T, dir, cc, object string, seed uint64, sum *compiledSum) {
	p := randprog.New(seed, randprog.Options{Features: compiledFeatures(seed), MaxStatements: 4 + int(seed%3)}).Publishing()
	verdict, err := exploreSource(p.String())
	sum.programs++
	switch {
	case err != nil:
		t.Errorf("seed %d: %v\n%s", seed, err, p)
		sum.refused++
		return
	case verdict == explore.Unknown:
		sum.undecided++
	case verdict == explore.Safe:
		sum.safe++
	case verdict == explore.Unsafe:
		sum.unsafe++
	}
	results, failed, err := runCompiled(dir, cc, object, p.Running())
	if err != nil {
		t.Errorf("seed %d: %v\n%s", seed, err, p.Running())
		return
	}
	if failed > 0 {
		sum.failed += failed
		sum.caught++
	}
	if failed > 0 && verdict == explore.Safe {
		sum.bad++
		t.Errorf("seed %d: the explorer says SAFE, but an assertion failed in %d executions\n%s", seed, failed, p)
	}
	tried := 0
	sum.distinct += len(results)
	for text, count := range results {
		sum.ended += count
		if tried++; tried > *gccDeny {
			continue
		}
		src := p.Denying(numbers(text))
		switch verdict, err := exploreSource(src); {
		case err != nil:
			t.Errorf("seed %d: %v\n%s", seed, err, src)
		case verdict == explore.Safe:
			sum.bad++
			t.Errorf("seed %d: the explorer does not find what %d executions showed:\n%s", seed, count, src)
		case verdict == explore.Unsafe:
			sum.confirmed++
		default:
			sum.unconfirmed++
		}
	}
}

func numbers(text string) []int {
	var out []int
	for _, f := range strings.Fields(text) {
		n, err := strconv.Atoi(f)
		if err != nil {
			panic(err)
		}
		out = append(out, n)
	}
	return out
}

// runCompiled compiles and runs a program, and returns how often main saw what at its
// end, and how often an assertion failed.
func runCompiled(dir, cc, object, src string) (results map[string]int, failed int, err error) {
	file, binary := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		return nil, 0, err
	}
	if out, err := exec.Command(cc, "-std=gnu11", "-w", "-O0", "-pthread", "-Dmain=program_main", "-o", binary, file, object).CombinedOutput(); err != nil {
		return nil, 0, fmt.Errorf("%w\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, binary, strconv.Itoa(*gccRuns)).Output()
	if err != nil {
		return nil, 0, err
	}
	results = map[string]int{}
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "obs "); ok {
			results[text]++
		} else {
			failed++
		}
	}
	return results, failed, nil
}
