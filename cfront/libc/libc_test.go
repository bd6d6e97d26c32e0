package libc

import (
	"slices"
	"strings"
	"testing"
)

func TestDefined(t *testing.T) {
	got := defined(`
#include "x.h"
#define f(x) g(x)
/* int no(void) { } */
int a, *b[3] = {1, 2};
static int c;
struct s { int x; };
enum { K = 1 };
extern int d;
int e(void);
static int f1(void) { return '{'; }
char *g(int (*x)(int), char *s) { if (x) { s = "}"; } return s; }
_Thread_local struct s h = {1};
void __attribute__((noreturn)) i(void) { for (;;) {} }
int *j(void) { return 0; }
`)
	if want := []string{"a", "b", "g", "h", "i", "j"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestIndex(t *testing.T) {
	for name, file := range map[string]string{"pthread_create": "pthread.c", "strlen": "string.c", "errno": "errno.c",
		"__comus_self": "pthread.c", "setjmp": "", "nonsense": ""} {
		if got, _ := File(name); got != file {
			t.Errorf("%s is in %q, want %q", name, got, file)
		}
	}
	seen := map[string]string{}
	for file, text := range Sources() {
		for _, name := range defined(text) {
			if seen[name] != "" {
				t.Errorf("%s is defined in %s and %s", name, seen[name], file)
			}
			seen[name] = file
		}
	}
}

func TestSelect(t *testing.T) {
	for _, c := range []struct{ names, sources, macros string }{
		{"strlen", "string.c", ""},
		{"strdup", "errno.c malloc.c strdup.c string.c", ""},
		{"printf __assert_fail exit", "assert.c errno.c exit.c stdio.c string.c", ""},
		{"setjmp", "", ""},
		{"pthread_create pthread_mutex_lock", "pthread.c pthread_mutex.c pthread_mutexattr.c", "COMUS_THREADS"},
		{"pthread_create atexit", "exit.c pthread.c", "COMUS_EXIT_FUNCTIONS COMUS_THREADS"},
		{"pthread_create pthread_key_create", "pthread.c pthread_key.c", "COMUS_KEYS COMUS_THREADS"},
		{"pthread_create __pthread_register_cancel", "pthread.c pthread_cleanup.c", "COMUS_CLEANUPS COMUS_THREADS"},
		{"pthread_create pthread_cancel", "pthread.c pthread_cancel.c", "COMUS_CANCELLATION COMUS_THREADS"},
		{"sem_wait", "errno.c semaphore.c", ""},
	} {
		sources, macros := Select(strings.Fields(c.names)...)
		if got := strings.Join(sources, " "); got != c.sources {
			t.Errorf("%s: sources %s, want %s", c.names, got, c.sources)
		}
		if got := strings.Join(macros, " "); got != c.macros {
			t.Errorf("%s: macros %s, want %s", c.names, got, c.macros)
		}
	}
}
