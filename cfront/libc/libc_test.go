package libc

import (
	"slices"
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

func TestNeeds(t *testing.T) {
	if got := Needs("strlen"); !slices.Equal(got, []string{"errno.c", "malloc.c", "string.c"}) {
		t.Errorf("strlen needs %q", got)
	}
	if got := Needs("pthread_once"); !slices.Contains(got, "pthread_cleanup.c") || !slices.Contains(got, "pthread_once.c") {
		t.Errorf("pthread_once needs %q", got)
	}
}
