package scan_test

import (
	"testing"

	"comus/scan"
)

const absentHeader = `#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
struct stat { long n; char name[16]; struct stat *next; } s1, s2;
struct box { struct stat *in; };
static struct stat *kept;
static pthread_t a, b;
static pthread_key_t key;
static int on;
static void add(struct stat *s, int n) { s->n += n; }
static void twice(struct stat *s) { add(s, 1); add(s, 2); }
static void kept1(struct stat *s) { if (on) s = kept; s->n++; }
static void down(struct stat *s, int n) { s->n++; if (n) down(s, n - 1); }
static void next(struct stat *s, int n) { s->n++; if (n) next(s->next, n - 1); }
static void number(uintptr_t x) { ((struct stat *)x)->n++; }
static void inbox(struct box x) { x.in->n++; }
static void byaddress(struct stat **s) { (*s)->n++; }
static void *thread(void *arg) { ((struct stat *)arg)->n++; return 0; }
static void destroy(void *arg) { ((struct stat *)arg)->n++; }
static void ended(int status, void *arg) { ((struct stat *)arg)->n++; }
static int compare(const void *x, const void *y) { ((struct stat *)x)->n++; return 0; }
static int look(const void *x, const void *y) { ((struct stat *)x)->n++; return 0; }
static void handler(int sig) { add(&s1, 1); }
static void vary(int n, struct stat *s, ...) { s->n += n; }
`

// apart2 is a program with two threads.
func apart2(first, second, begin string) string {
	return `static void *f(void *p) { ` + first + ` return 0; }
static void *g(void *p) { ` + second + ` return 0; }
int main(int argc, char **argv) { on = argc; ` + begin + `
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
`
}

// TestAbsent has two threads that call the same functions, with objects of which they have one each, or not.
func TestAbsent(t *testing.T) {
	checkWithin(t, absentHeader, "s1", []ruled{
		{"one each", apart2("add(&s1, 1);", "add(&s2, 1);", ""), scan.ThreadLocal},
		{"one each, by way of another function", apart2("twice(&s1); add(&s1, 3);", "twice(&s2);", ""), scan.ThreadLocal},
		{"one each, and the other one, too", apart2("twice(&s1);", "twice(&s2); add(&s1, 1);", ""), scan.Suspected},
		{"one of the two", apart2("add(&s1, 1);", "add(on ? &s1 : &s2, 1);", ""), scan.Suspected},
		{"by a pointer", apart2("add(&s1, 1);", "struct stat *s = &s2; add(s, 1);", ""), scan.ThreadLocal},
		{"by a pointer to the other one", apart2("add(&s1, 1);", "struct stat *s = kept; add(s, 1); add(&s2, 1);", "kept = &s1;"), scan.Suspected},
		{"what a variable leads to, in the function", apart2("kept1(&s1);", "kept1(&s2);", "kept = &s1;"), scan.Suspected},
		{"recursive", apart2("down(&s1, 4);", "down(&s2, 4);", ""), scan.ThreadLocal},
		{"recursive, along a list", apart2("next(&s1, 4);", "next(&s2, 4);", "s2.next = &s1;"), scan.Suspected},
		{"as a number", apart2("number((uintptr_t)&s1);", "number((uintptr_t)&s1); number((uintptr_t)&s2);", ""), scan.Suspected},
		{"in a struct", apart2("struct box x = {&s1}; inbox(x);", "struct box x = {&s1}; inbox(x); x.in = &s2; inbox(x);", ""), scan.Suspected},
		{"by the address of a pointer", apart2("struct stat *s = &s1; byaddress(&s);", "struct stat *s = &s2; byaddress(&s); s = &s1; byaddress(&s);", ""), scan.Suspected},
		{"begun as a thread, too", apart2("add(&s1, 1); thread(&s1);", "pthread_t c; thread(&s2); pthread_create(&c, 0, thread, &s1);", ""), scan.Suspected},
		{"called at the end of a thread", apart2("destroy(&s1);", "pthread_setspecific(key, &s1); destroy(&s2);", "pthread_key_create(&key, destroy);"), scan.Suspected},
		{"called at the end of the program", apart2("ended(0, &s1); while (on) add(&s1, 1);", "on_exit(ended, &s1); ended(0, &s2); exit(0);", ""), scan.Suspected},
		{"called back with the other one", apart2("compare(&s1, &s1);", "compare(&s2, &s2); qsort(&s1, 1, sizeof s1, compare);", ""), scan.Suspected},
		{"called back with both", apart2("look(&s1, &s1);", "look(&s2, &s2); bsearch(&s1, &s2, 1, sizeof s1, look);", ""), scan.Suspected},
		{"by a handler of signals", apart2("add(&s1, 1);", "add(&s2, 1);", "signal(SIGINT, handler);"), scan.Suspected},
		{"through a pointer to a function", apart2("void (*h)(struct stat *, int) = on ? add : down; h(&s1, 1);", "void (*h)(struct stat *, int) = on ? down : add; h(&s2, 1);", ""), scan.ThreadLocal},
		{"through a pointer to a function, the other one", apart2("void (*h)(struct stat *, int) = on ? add : down; h(&s1, 1);", "void (*h)(struct stat *, int) = on ? down : add; h(&s2, 1); h(&s1, 1);", ""), scan.Suspected},
		{"with any number of arguments", apart2("vary(1, &s1, 2);", "vary(1, &s2, &s1);", ""), scan.ThreadLocal},
		{"with any number of arguments, the other one", apart2("vary(1, &s1, 2);", "vary(1, &s2, &s1); vary(2, &s1);", ""), scan.Suspected},
		{"two threads of one kind", `static void *f(void *p) { add(&s1, 1); add(&s2, 1); return 0; } int main(void) { pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); add(&s2, 1); return 0; }`, scan.Suspected},
		{"main and a thread", `static void *f(void *p) { add(&s1, 1); return 0; } int main(void) { pthread_create(&a, 0, f, 0); add(&s2, 1); return 0; }`, scan.ThreadLocal},
		{"main and a thread, the other one", `static void *f(void *p) { add(&s1, 1); return 0; } int main(void) { pthread_create(&a, 0, f, 0); add(&s2, 1); add(&s1, 1); return 0; }`, scan.Suspected},
	})
}
