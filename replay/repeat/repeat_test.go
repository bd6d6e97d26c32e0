package repeat

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"comus/cfront/command"
	"comus/internal/long"
)

// needsX86 skips a test on a machine that the runtime is not for.
func needsX86(t *testing.T) {
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("this machine is no x86-64 with Linux")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc")
	}
}

// of writes a program to a file. The line of the assertion is the one that has /* here */ in it.
func of(t *testing.T, text string) *Program {
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(text, "/* here */")
	if !ok {
		t.Fatal("no line is marked")
	}
	return &Program{Units: []command.Invocation{{File: file}}, Args: []string{"program"}, File: "p.c", Line: strings.Count(before, "\n") + 1}
}

// twoThreads is a program whose two threads do something, and whose main function does something before them and behind them.
func twoThreads(globals, first, second, before, behind string) string {
	return `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#define STORE(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)
#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
static atomic_int x, y;
static int a = 5, b = 5;
void reach_error(void) {}
` + globals + `
static void *first(void *p) { ` + first + ` return p; }
static void *second(void *p) { ` + second + ` return p; }
int main(void) {
  pthread_t t[2];
  ` + before + `
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  ` + behind + `
}
`
}

const (
	storeBuffering1 = "STORE(x, 1); a = LOAD(y);"
	storeBuffering2 = "STORE(y, 1); b = LOAD(x);"
)

// shown runs a program for longer and longer times, until it has shown the outcome.
func shown(t *testing.T, p *Program) Report {
	var r Report
	for within := time.Second; within < 10*time.Second && r.Seen == 0; within *= 3 {
		var err error
		if r, err = p.Run(t.Context(), within); err != nil || r.Why != "" {
			t.Fatal(err, r.Why)
		}
		t.Log(r.Text)
	}
	return r
}

// TestStoreBuffering sees what x86 lets happen, whatever the program does around it.
func TestStoreBuffering(t *testing.T) {
	needsX86(t)
	if runtime.NumCPU() < 2 {
		t.Skip("this machine has one processor")
	}
	for name, text := range map[string]string{
		"many runs in a process": twoThreads("", storeBuffering1, storeBuffering2, "", "assert(a || b); /* here */"),
		"a process for each run": twoThreads("static _Thread_local int own;", "own = 1; "+storeBuffering1, storeBuffering2, "", "if (a + b == 0) reach_error(); /* here */"),
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "a process") {
				long.Only(t)
			}
			p := of(t, text)
			if r := shown(t, p); r.Seen == 0 || r.Seen > r.Runs || !strings.HasPrefix(r.Text, "seen in ") {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestOutcomes looks at what is said of runs that end in one way or another.
func TestOutcomes(t *testing.T) {
	needsX86(t)
	const never = "not seen in "
	for i, c := range []struct{ name, text, want string }{
		{"fences", twoThreads("", "STORE(x, 1); atomic_thread_fence(memory_order_seq_cst); a = LOAD(y);", "STORE(y, 1); atomic_thread_fence(memory_order_seq_cst); b = LOAD(x);",
			"", "assert(a || b); /* here */"), never},
		{"messages", twoThreads("", "STORE(x, 1); STORE(y, 1);", "a = LOAD(y); b = LOAD(x);", "", "assert(!(a == 1 && b == 0)); /* here */"), never},
		{"another assertion", twoThreads("", "", "", "", "\nassert(0);\nassert(1); /* here */"), "failed another assertion"},
		{"variables are set back", twoThreads("static int n;", "", "", "assert(n++ == 0); /* here */", ""), never},
		{"always", twoThreads("", "", "", "", "assert(a == 4); /* here */"), "seen in "},
		{"an error function", twoThreads("", "", "", "", "if (a == 5) reach_error(); /* here */"), "seen in "},
		{"crash", twoThreads("", "*(volatile char *)8 = 1;", "", "", "/* here */"), "crashed"},
		{"no end", twoThreads("", "while (!LOAD(x)) {}", "", "", "/* here */"), "did not end"},
		{"threads that wait for one another", twoThreads("", "STORE(x, 1);", "while (!LOAD(x)) {} a = 0;", "", "assert(a == 0 && b == 5); /* here */"), never},
		{"created when the first one has gone on", twoThreads("", "STORE(x, 1);", "", "pthread_t u; pthread_create(&u, 0, first, 0); while (!LOAD(x)) {} pthread_detach(u);", "assert(LOAD(x)); /* here */"), never},
		{"the end of the process", twoThreads("", "exit(0);", "usleep(1000);", "", "/* here */"), never},
		{"the end of a thread", twoThreads("", "pthread_exit(0);", "", "", "assert(a == 5); /* here */"), never},
		{"an assumption", twoThreads("void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void);", "", "", "__VERIFIER_assume(__VERIFIER_nondet_int());", "/* here */"), "assumption that did not hold"},
	} {
		if !long.Turn(i, 6) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			within := 200 * time.Millisecond
			if c.name == "no end" {
				within = 2500 * time.Millisecond
			}
			r, err := of(t, c.text).Run(t.Context(), within)
			if err != nil || r.Why != "" {
				t.Fatal(err, r.Why)
			}
			if !strings.Contains(r.Text, c.want) || r.Runs == 0 || (r.Seen > 0) != strings.HasPrefix(r.Text, "seen in ") || r.Seen == 0 && !strings.Contains(r.Text, "does not say that it cannot happen") {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestNotRun looks at programs that are not run.
func TestNotRun(t *testing.T) {
	needsX86(t)
	for call, name := range map[string]string{`unlink("/nowhere/at/all");`: "unlink", "nothing(a);": "nothing", "fopen(0, 0);": "fopen"} {
		r, err := of(t, twoThreads("", call, "", "", "/* here */")).Run(t.Context(), time.Second)
		if err != nil || r.Runs != 0 || !strings.Contains(r.Why, "calls "+name+",") {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
	}
	if _, err := of(t, "int main(void) { return no; /* here */ }").Run(t.Context(), time.Second); err == nil || !strings.Contains(err.Error(), "gcc fails: ") {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, stop)
	begun := time.Now()
	if _, err := of(t, twoThreads("", "", "", "", "/* here */")).Run(ctx, time.Minute); err == nil || time.Since(begun) > 20*time.Second {
		t.Errorf("it goes on: %v, %v", err, time.Since(begun))
	}
}

// TestMakefile has make do what Run does.
func TestMakefile(t *testing.T) {
	long.Only(t)
	needsX86(t)
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("there is no make")
	}
	p := of(t, twoThreads("", "", "", "", "assert(NUMBER == 7); /* here */"))
	p.Units[0].Preprocess = []string{"-DNUMBER=a + 1", "-include", "limits.h"}
	files, err := p.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "it's $here")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.CommandContext(t.Context(), "make", "-C", dir, "run")
	run.Env = append(os.Environ(), "COMUS_SECONDS=0.2")
	if out, err := run.CombinedOutput(); err != nil || !strings.Contains(string(out), "\nseen in ") {
		t.Errorf("%v: %s", err, out)
	}
}
