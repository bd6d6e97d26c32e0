package libc_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cfront/contract"
	"comus/cfront/libc"
	"comus/cir"
	"comus/cir/interp"
	"comus/internal/long"
	"comus/scan/pointsto"
	"comus/specialise"
)

// The models are trusted. So a model must not end paths that the function does not end: by an assumption that cannot hold, say, after which everything is
// proved. Here a call is written of each function, by its contract: pointers lead to memory that holds a number as text, numbers are those of a list of small and
// large ones. After it comes an assertion that fails, and some run has to get there.

// endless are the functions that never return, and why.
var endless = map[string]string{
	"_exit": "ends the process", "_Exit": "ends the process", "exit": "ends the process", "quick_exit": "ends the process", "abort": "ends the process",
	"__assert": "ends the process", "__assert_fail": "ends the process", "__assert_perror_fail": "ends the process",
	"longjmp": "goes elsewhere", "_longjmp": "goes elsewhere", "siglongjmp": "goes elsewhere", "__longjmp_chk": "goes elsewhere",
	"pthread_exit": "ends the thread", "thrd_exit": "ends the thread", "__pthread_unwind_next": "ends the thread",
}

// written are the calls of functions that need more than arguments.
var written = map[string]string{
	"sem_wait": "sem_init(P(0), 0, 1); sem_wait(P(0));", "sem_clockwait": "sem_init(P(0), 0, 1); sem_clockwait(P(0), 0, &then);", "sem_timedwait": "sem_init(P(0), 0, 1); sem_timedwait(P(0), &then);",
	"sem_close":   `sem_t *s = sem_open("/s", O_CREAT, 0600, 1); if (s != SEM_FAILED) sem_close(s);`,
	"sem_destroy": "sem_init(P(0), 0, 1); sem_destroy(P(0));", "sem_getvalue": "int n; sem_init(P(0), 0, 1); sem_getvalue(P(0), &n);",
	"sem_post": "sem_init(P(0), 0, 1); sem_post(P(0));", "sem_trywait": "sem_init(P(0), 0, 1); sem_trywait(P(0));",
	"mtx_init": "mtx_init(P(0), 0);", "mtx_destroy": "mtx_init(P(0), 0); mtx_destroy(P(0));", "mtx_lock": "mtx_init(P(0), 0); mtx_lock(P(0));",
	"sem_open":                `sem_open("/s", O_CREAT, 0600, 1);`,
	"pthread_mutex_unlock":    "pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex);",
	"mtx_unlock":              "mtx_init(P(0), 0); mtx_lock(P(0)); mtx_unlock(P(0));",
	"pthread_spin_unlock":     "pthread_spin_init(P(0), 0); pthread_spin_lock(P(0)); pthread_spin_unlock(P(0));",
	"pthread_rwlock_unlock":   "pthread_rwlock_rdlock(P(2)); pthread_rwlock_unlock(P(2));",
	"pthread_barrier_wait":    "pthread_barrier_init(P(0), 0, 1); pthread_barrier_wait(P(0));",
	"pthread_barrier_destroy": "pthread_barrier_init(P(0), 0, 1); pthread_barrier_destroy(P(0));",
	"pthread_cond_wait":       "pthread_mutex_lock(&mutex); pthread_cond_wait(P(2), &mutex);", "cnd_wait": "mtx_init(P(0), 0); mtx_lock(P(0)); cnd_wait(P(2), P(0));",
	"pthread_cond_timedwait": "pthread_mutex_lock(&mutex); pthread_cond_timedwait(P(2), &mutex, &then);", "cnd_timedwait": "mtx_init(P(0), 0); mtx_lock(P(0)); cnd_timedwait(P(2), P(0), &then);",
	"pthread_cond_clockwait": "pthread_mutex_lock(&mutex); pthread_cond_clockwait(P(2), &mutex, 0, &then);",
	"pthread_create":         "pthread_t t; pthread_create(&t, 0, start, 0);", "thrd_create": "thrd_t t; thrd_create(&t, start11, 0);",
	"pthread_join": "pthread_t t; pthread_create(&t, 0, start, 0); pthread_join(t, 0);", "thrd_join": "thrd_t t; thrd_create(&t, start11, 0); thrd_join(t, 0);",
	"pthread_detach": "pthread_t t; pthread_create(&t, 0, start, 0); pthread_detach(t);", "thrd_detach": "thrd_t t; thrd_create(&t, start11, 0); thrd_detach(t);",
	"pthread_tryjoin_np":   "pthread_t t; pthread_create(&t, 0, start, 0); pthread_tryjoin_np(t, 0);",
	"pthread_timedjoin_np": "pthread_t t; pthread_create(&t, 0, start, 0); pthread_timedjoin_np(t, 0, &then);",
	"pthread_clockjoin_np": "pthread_t t; pthread_create(&t, 0, start, 0); pthread_clockjoin_np(t, 0, 0, &then);",
	"pthread_cancel":       "pthread_t t; pthread_create(&t, 0, start, 0); pthread_cancel(t);",
	"pthread_key_delete":   "pthread_key_t k; pthread_key_create(&k, 0); pthread_key_delete(k);", "tss_delete": "tss_t k; tss_create(&k, 0); tss_delete(k);",
	"pthread_getspecific": "pthread_key_t k; pthread_key_create(&k, 0); pthread_getspecific(k);", "tss_get": "tss_t k; tss_create(&k, 0); tss_get(k);",
	"pthread_setspecific": "pthread_key_t k; pthread_key_create(&k, 0); pthread_setspecific(k, 0);", "tss_set": "tss_t k; tss_create(&k, 0); tss_set(k, 0);",
	"pthread_key_create": "pthread_key_create(P(0), 0);", "tss_create": "tss_create(P(0), 0);",
	"pthread_once": "pthread_once(P(2), nothing);", "call_once": "call_once(P(2), nothing);", "pthread_atfork": "pthread_atfork(nothing, nothing, nothing);",
	"atexit": "atexit(nothing);", "at_quick_exit": "at_quick_exit(nothing);", "on_exit": "on_exit((void (*)(int, void *))0, 0);",
	"free": "free(malloc((size_t)v));", "realloc": "realloc(malloc(1), (size_t)v);", "reallocarray": "reallocarray(malloc(1), (size_t)v, 1);", "malloc_usable_size": "malloc_usable_size(malloc(1));",
	"signal": "signal(10, handle);", "sigaction": "struct sigaction a = {.sa_handler = handle}; sigaction(10, &a, 0);",
	"pause": "signal(10, handle); pause();", "sigsuspend": "signal(10, handle); sigsuspend(P(0));", // they return when a handler has run
	"sigwait": "sigset_t s; int n; sigemptyset(&s); sigaddset(&s, 10); sigwait(&s, &n);", "raise": "signal(10, handle); raise(10);", "kill": "kill(1, 0);", "pthread_kill": "pthread_kill(pthread_self(), 0);",
	"pthread_mutex_consistent": "pthread_mutex_consistent(&mutex);", "fclose": `FILE *f = fopen("f", "r"); if (f) fclose(f);`, "pclose": `FILE *f = popen("f", "r"); if (f) pclose(f);`,
	"getline": "char *l = 0; size_t n = 0; getline(&l, &n, stdin);", "getdelim": "char *l = 0; size_t n = 0; getdelim(&l, &n, '\\n', stdin);",
	"__sched_cpufree": "__sched_cpufree(__sched_cpualloc(8));", "funlockfile": "flockfile(stdout); funlockfile(stdout);",
	"execl": `execl("/f", "f", (char *)0);`, "execlp": `execlp("f", "f", (char *)0);`, "execle": `char *e[] = {0}; execle("/f", "f", (char *)0, e);`,
	"execv": `char *a[] = {"f", 0}; execv("/f", a);`, "execvp": `char *a[] = {"f", 0}; execvp("f", a);`, "execve": `char *a[] = {"f", 0}; execve("/f", a, a);`, "execvpe": `char *a[] = {"f", 0}; execvpe("f", a, a);`,
	"getopt": `char *a[] = {"f", "-x", 0}; getopt(2, a, "x");`, "getopt_long": `char *a[] = {"f", "-x", 0}; struct option o[] = {{0}}; getopt_long(2, a, "x", o, 0);`,
	"getopt_long_only": `char *a[] = {"f", "-x", 0}; struct option o[] = {{0}}; getopt_long_only(2, a, "x", o, 0);`, "vfork": "if (vfork() == 0) _exit(0);",
	"putenv": `putenv("a=b");`, "strsep": "char *s = P(0); strsep(&s, \",\");", "strtok_r": "char *r; strtok_r(P(0), \",\", &r);", "__strtok_r": "char *r; __strtok_r(P(0), \",\", &r);",
	"asctime": "struct tm t = {.tm_mday = 1}; asctime(&t);", "asctime_r": "struct tm t = {.tm_mday = 1}; asctime_r(&t, P(0));",
	"fdopen": `fdopen(0, "r");`, "fopen": `fopen("f", "r");`, "popen": `popen("f", "r");`, "lfind": "size_t n = 1; lfind(P(0), P(2), &n, 1, compare);", "lsearch": "size_t n = 1; lsearch(P(0), P(2), &n, 1, compare);",
	"qsort_r":            "qsort_r(P(0), 2, 1, compare_with, 0);",
	"pthread_getattr_np": "pthread_attr_t a; pthread_getattr_np(pthread_self(), &a);", "pthread_getname_np": "pthread_getname_np(pthread_self(), P(0), 64);",
	"pthread_setname_np": `pthread_setname_np(pthread_self(), "n");`, "pthread_getaffinity_np": "pthread_getaffinity_np(pthread_self(), 128, P(0));", "pthread_setaffinity_np": "pthread_setaffinity_np(pthread_self(), 128, P(2));",
	"pthread_getschedparam": "int p; struct sched_param s; pthread_getschedparam(pthread_self(), &p, &s);", "pthread_setschedparam": "struct sched_param s = {0}; pthread_setschedparam(pthread_self(), 0, &s);",
	"pthread_setschedprio": "pthread_setschedprio(pthread_self(), 0);", "pthread_getcpuclockid": "clockid_t c; pthread_getcpuclockid(pthread_self(), &c);",
	"pthread_attr_getstack": "pthread_attr_t a; void *p; size_t n; pthread_attr_init(&a); pthread_attr_getstack(&a, &p, &n);",
	"pthread_attr_destroy":  "pthread_attr_t a; pthread_attr_init(&a); pthread_attr_destroy(&a);",
	"system":                `system("f");`, "setvbuf": "setvbuf(stdout, 0, _IONBF, 0);", "setbuf": "setbuf(stdout, 0);", "setbuffer": "setbuffer(stdout, 0, 0);",
	"nanosleep": "struct timespec d = {0}; nanosleep(&d, 0);", "clock_nanosleep": "struct timespec d = {0}; clock_nanosleep(0, 0, &d, 0);", "thrd_sleep": "struct timespec d = {0}; thrd_sleep(&d, 0);",
	"wait": "wait(0);", "waitpid": "waitpid(-1, 0, 0);",
	"__pthread_register_cancel": "__pthread_unwind_buf_t b; __pthread_register_cancel(&b);", "__pthread_unregister_cancel": "__pthread_unwind_buf_t b; __pthread_register_cancel(&b); __pthread_unregister_cancel(&b);",
}

// hidden are the functions that are called by macros of the headers only, in the headers' own ways; their models are those of the functions that the macros stand for.
func hidden(name string) bool {
	return strings.HasSuffix(name, "_chk") || name == "__overflow" || name == "__uflow"
}

const top = `#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <libgen.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <arpa/inet.h>
static union { char text[8192]; long words[1024]; double number; } memory[6];
#define P(i) ((void *)&memory[i])
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct timespec then = {1, 1};
int __xpg_strerror_r(int, char *, size_t);
char *gets(char *);
static void nothing(void) {}
static void handle(int s) { (void)s; }
static void *start(void *a) { return a; }
static int start11(void *a) { return a != 0; }
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int compare_with(const void *a, const void *b, void *c) { (void)c; return *(const char *)a - *(const char *)b; }
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
`

// synchronises reports whether a function is one of those whose objects, all zeros, are ready to be used.
func synchronises(f *contract.Function) bool {
	return f.Header == "pthread.h" || f.Header == "threads.h" || f.Header == "semaphore.h"
}

// argument returns what a function is given for a parameter: n is its number.
func argument(p *contract.Param, n int) string {
	switch {
	case p.Handle == "FILE":
		return "stdout"
	case p.VaList:
		return "ap"
	case p.Format != contract.NoFormat:
		return `"1"`
	case len(p.Calls) > 0:
		return "compare"
	case len(p.Accesses) > 0 || p.Nullable || p.Frees || len(p.Retains) > 0 || p.Passed || p.Ignored || p.Handle != "":
		return fmt.Sprintf("P(%d)", n%4)
	}
	return "v"
}

// callOf returns a statement that calls a function.
func callOf(f *contract.Function) string {
	s := written[f.Name]
	if s == "" {
		var args []string
		for i := range f.Params {
			args = append(args, argument(&f.Params[i], i))
		}
		s = fmt.Sprintf("%s(%s);", f.Name, strings.Join(args, ", "))
	}
	if synchronises(f) {
		s = strings.NewReplacer("P(0)", "P(3)", "P(1)", "P(5)").Replace(s)
	}
	return s
}

// callable returns the functions of the models that are called, in the order of their names.
func callable() (list []*contract.Function) {
	for name := range libc.Index() {
		if f, ok := contract.Lookup(name); ok && endless[name] == "" && !hidden(name) {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b *contract.Function) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// programOf returns a program that calls one of some functions, chosen by an input, with numbers that are an expression. An assertion that fails follows, on a line of its
// own.
func programOf(fs []*contract.Function, numbers string) string {
	var s strings.Builder
	s.WriteString(top)
	for i, f := range fs {
		fmt.Fprintf(&s, "static void call%d(long v, ...) { va_list ap; va_start(ap, v); %s va_end(ap); }\n", i, callOf(f))
	}
	s.WriteString("int main(void) {\n  long v = " + numbers + ";\n  memcpy(P(0), \"12\", 3), memcpy(P(1), \"1\", 2);\n  switch (__VERIFIER_nondet_int()) {\n")
	for i, f := range fs {
		fmt.Fprintf(&s, "  case %d: call%d(v, P(0), P(1), P(4));\n    assert(0); // %s returns\n", i, i, f.Name)
	}
	s.WriteString("  }\n}\n")
	return s.String()
}

// numbers are what functions are given where they take numbers.
var numbers = []uint64{1, 0, 2, 8, 48, 128, 4096, ^uint64(0)}

// loadCalls writes and reads such a program.
func loadCalls(t *testing.T, fs []*contract.Function, numbers string) *cfront.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "calls.c")
	if err := os.WriteFile(file, []byte(programOf(fs, numbers)), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// runCall runs the call of a function with a number, and random choices of the models.
func runCall(t *testing.T, p *cfront.Program, which int, number uint64, seed int) *interp.Result {
	t.Helper()
	r := rand.New(rand.NewSource(int64(seed)))
	res, err := interp.Run(context.Background(), p.Program, interp.Options{
		Scheduler: interp.NewRandom(uint64(seed), 20), MaxSteps: 200_000, Stdin: strings.NewReader("12 34\n"), Handlers: true,
		Nondet: func(name string, _ cir.Type) (lo, hi uint64) {
			switch {
			case name == "__VERIFIER_nondet_int":
				return uint64(which), 0
			case name == "__VERIFIER_nondet_long":
				return number, 0
			case seed%2 == 0:
				return uint64(r.Intn(2)), 0
			}
			if n := r.Intn(14); n < 13 {
				return uint64(n), 0
			}
			return 1 << 20, 0
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestReturns: each function that returns does so in some run, with some number; and for no number is it by an assumption that all runs end.
func TestReturns(t *testing.T) {
	long.Only(t)
	fs := callable()
	if len(fs) < 500 {
		t.Fatalf("%d functions only", len(fs))
	}
	for some := range slices.Chunk(fs, 40) {
		p := loadCalls(t, some, "__VERIFIER_nondet_long()")
		for i, f := range some {
			returned, last := false, ""
			for k, n := range numbers {
				if k > 0 && returned && !strings.Contains(callOf(f), "v") {
					break // no number matters
				}
				how, ends := untilReturn(t, p, i, n)
				if returned = returned || how == interp.AssertFails; how == interp.Assumed {
					t.Errorf("%s, with the number %d: no run gets beyond an assumption of the model: %s", f.Name, int64(n), ends)
				}
				last = ends
			}
			if !returned {
				t.Errorf("%s does not return in any run: %s", f.Name, last)
			}
		}
	}
}

// mostRuns is how many runs a function is given to return in.
const mostRuns = 60

// untilReturn runs a call until it returns. If none does, but one ends otherwise than by an assumption, it is how that one does.
func untilReturn(t *testing.T, p *cfront.Program, which int, number uint64) (how interp.Outcome, ends string) {
	how = interp.Assumed
	for seed := range mostRuns {
		res := runCall(t, p, which, number, seed)
		if how == interp.Assumed || res.Outcome == interp.AssertFails {
			how, ends = res.Outcome, res.String()
		}
		if how == interp.AssertFails || how == interp.Undefined && seed > 4 {
			break
		}
	}
	return how, ends
}

// TestEndless: those that never return do not.
func TestEndless(t *testing.T) {
	var fs []*contract.Function
	for _, name := range []string{"_exit", "_Exit", "exit", "quick_exit", "abort", "pthread_exit", "thrd_exit"} {
		f, ok := contract.Lookup(name)
		if !ok || !f.NoReturn || endless[name] == "" {
			t.Fatalf("%s returns", name)
		}
		fs = append(fs, f)
	}
	p := loadCalls(t, fs, "1")
	for i, f := range fs {
		for seed := range 10 {
			if res := runCall(t, p, i, 1, seed); res.Outcome == interp.AssertFails {
				t.Errorf("%s returns: %s", f.Name, res)
			}
		}
	}
}

// everything has TestReturnsInIR look at all functions.
var everything = os.Getenv("COMUS_EVERYTHING") != ""

// TestReturnsInIR: the same of the programs that engines look at: the assertion behind each call is still there, with a number for which an address of the least alignment
// is not good enough.
func TestReturnsInIR(t *testing.T) {
	long.Only(t)
	fs := callable()
	if !everything { // the others assume nothing, but what functions of these files do that they call
		fs = slices.DeleteFunc(fs, func(f *contract.Function) bool {
			file, _ := libc.File(f.Name)
			return !strings.Contains(libc.Sources()[file], "__comus_assume(")
		})
	}
	for some := range slices.Chunk(fs, 15) {
		p := loadCalls(t, some, "128")
		pts, err := pointsto.Analyse(t.Context(), p.Program)
		if err != nil {
			t.Fatal(err)
		}
		res, err := specialise.Specialise(t.Context(), p.Program, pts, specialise.Options{})
		if err != nil {
			t.Errorf("%s to %s: %v", some[0].Name, some[len(some)-1].Name, err)
			continue
		}
		lines := strings.Split(programOf(some, "128"), "\n")
		there := map[string]bool{}
		for _, th := range res.Program.Threads {
			for _, l := range th.Locs {
				if l.Error && l.Pos.Line > 0 && l.Pos.Line <= len(lines) {
					_, name, _ := strings.Cut(lines[l.Pos.Line-1], "// ")
					there[name] = true
				}
			}
		}
		for _, f := range some {
			if !there[f.Name+" returns"] {
				t.Errorf("%s does not return in ir", f.Name)
			}
		}
	}
}
