package comus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront"
	"comus/comus"
	"comus/internal/long"
	"comus/seqmc"
)

// outsideTop declares functions without bodies, as a header of the system does, and those of the program that they call: VAR is what these change.
const outsideTop = `#define _GNU_SOURCE
#include <assert.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
struct pair { int a, b; void (*f)(int); };
# 1 "/usr/include/lib.h" 1 3
void lib_register(void (*)(int)), lib_run(void), lib_give(struct pair *), lib_any(const char *, ...), lib_value(struct pair);
void lib_with(void (*)(int *), int *);
struct pair lib_pair(void (*)(int));
_Noreturn void lib_leave(void (*)(int));
extern void (*lib_hook)(int);
# 1 "prog.c" 2
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int tree(const char *p, const struct stat *s, int t) { ++VAR; return 0; }
static void number(int i) { ++VAR; }
static void to(int *a) { ++*a; }
static void value(union sigval v) { ++VAR; }
static void check(int i) { ++VAR; assert(x == 0); }
`

// outsides are programs in which code outside calls functions of theirs: their assertions can fail if VAR is x.
var outsides = map[string]string{
	"now":           `int main(void) { ftw("/tmp", tree, 4); assert(x == 0); }`,
	"by a pointer":  `static int (*walk)(const char *, __ftw_func_t, int); int main(int c, char **v) { walk = ftw; walk("/tmp", tree, 4); assert(x == 0); }`,
	"kept":          `int main(void) { lib_register(number); x = 0; lib_run(); assert(x == 0); }`,
	"in memory":     `int main(void) { struct pair p = {1, 2, number}; lib_give(&p); assert(x == 0); }`,
	"in a struct":   `int main(void) { struct pair p = {1, 2, number}; lib_value(p); assert(x == 0); }`,
	"struct result": `int main(void) { struct pair p = lib_pair(number); assert(x == 0); }`,
	"variadic":      `int main(void) { lib_any("%p", 1, 2.0, number); assert(x == 0); }`,
	"hook":          `int main(void) { lib_hook = number; lib_run(); assert(x == 0); }`,
	"no return":     `int main(void) { lib_leave(check); }`,
	"argument":      `int main(void) { lib_with(to, &VAR); assert(x == 0); }`,
	"in a thread":   `int main(void) { struct sigevent e = {0}; timer_t t; e.sigev_notify = SIGEV_THREAD; e.sigev_notify_function = value; timer_create(CLOCK_REALTIME, &e, &t); assert(x == 0); }`,
	"another thread": `static void *f(void *a) { pthread_mutex_lock(&m); ftw("/tmp", tree, 4); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); int k = x; pthread_mutex_unlock(&m); assert(k == 0); }`,
}

// TestCalledFromOutside: what code outside calls is part of the program, as an approximation; functions that nobody outside knows are not called.
func TestCalledFromOutside(t *testing.T) {
	for name, body := range outsides {
		t.Run(name, func(t *testing.T) {
			long.OneOf(t, 8)
			for _, v := range []string{"x", "y"} {
				res := verified(t, strings.ReplaceAll(outsideTop+body, "VAR", v), comus.Options{})
				if v == "x" && (res.Verdict != seqmc.Unknown || !strings.Contains(res.Reason, "possible violation") || !strings.Contains(res.Reason, "calls")) {
					t.Errorf("%s: %s %s", v, res.Verdict, res.Reason)
				}
				if v == "y" && (res.Verdict != seqmc.Safe || strings.Contains(strings.Join(res.Assumptions, "\n"), "does not call")) {
					t.Errorf("%s: %s %s %q", v, res.Verdict, res.Reason, res.Assumptions)
				}
			}
		})
	}
	t.Run("pure", func(t *testing.T) {
		res := verified(t, strings.ReplaceAll(outsideTop+outsides["kept"], "VAR", "x"), comus.Options{Source: cfront.Options{Unknown: cfront.Pure}})
		if res.Verdict != seqmc.Safe || !strings.Contains(strings.Join(res.Assumptions, "\n"), "'lib_register' does not call the functions that it is given") {
			t.Errorf("%s %q", res.Verdict, res.Assumptions)
		}
	})
}

// verified verifies a program.
func verified(t *testing.T, src string, o comus.Options) *comus.Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "prog.c")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	res, err := comus.Verify(t.Context(), file, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// handlers are programs in which a handler of signals has to do with what is a thread's own: their assertions can fail if VAR is x.
var handlers = map[string]string{
	"writes":      `static _Thread_local int x, y; static void h(int s) { VAR = 1; } int main(void) { signal(SIGALRM, h); alarm(1); pause(); assert(x == 0); }`,
	"reads":       `static _Thread_local int x, y; static void h(int s) { int k = &VAR == &x ? x : 0; assert(k == 0); } int main(void) { x = 1; signal(SIGALRM, h); alarm(1); pause(); }`,
	"in a thread": `_Thread_local int x, y; static void h(int s) { VAR = 1; } static void *f(void *a) { x = 0; pause(); assert(x == 0); return 0; } int main(void) { pthread_t t; signal(SIGALRM, h); pthread_create(&t, 0, f, 0); pthread_join(t, 0); }`,
	"errno":       `static int x, y; static void h(int s) { int e = errno; close(-1); if (&VAR == &y) errno = e; else x = 1; } int main(void) { signal(SIGALRM, h); pause(); assert(x == 0); }`,
	"key": `pthread_key_t x, y; int v; static void h(int s) { void *p = &VAR == &x ? pthread_getspecific(x) : 0; assert(p == 0); }
int main(void) { pthread_key_create(&x, 0); pthread_setspecific(x, &v); signal(SIGALRM, h); pause(); }`,
	"who it is": `static pthread_t x, y; static void h(int s) { assert(!VAR || !pthread_equal(VAR, pthread_self())); }
static void *f(void *a) { x = pthread_self(); pause(); return 0; } int main(void) { pthread_t t; signal(SIGALRM, h); pthread_create(&t, 0, f, 0); pause(); }`,
}

// TestHandlersOwn: a handler of signals has the variables of the thread that it interrupts, for engines, for what is claimed of values, and in runs, which show that the assertions fail.
func TestHandlersOwn(t *testing.T) {
	for name, body := range handlers {
		t.Run(name, func(t *testing.T) {
			long.OneOf(t, 5)
			for _, v := range []string{"x", "y"} {
				src := "#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n#include <signal.h>\n#include <unistd.h>\n" + strings.ReplaceAll(body, "VAR", v)
				for _, strategy := range []string{"", scanStrategy} {
					res := verified(t, src, comus.Options{Strategy: strategy})
					if res.Verdict != map[string]seqmc.Verdict{"x": seqmc.Unsafe, "y": seqmc.Safe}[v] {
						t.Errorf("%s %s: %s %s", v, strategy, res.Verdict, res.Reason)
					}
				}
			}
		})
	}
}
