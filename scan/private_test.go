package scan_test

import (
	"strings"
	"testing"

	"comus/scan"
)

const privateHeader = `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct rec { int a, b; int buf[2]; } recs[8];
int d[16], *ptr, total;
pthread_t ids[32];
static void *number(void *arg) { int k = (long)arg; d[k] = 1; return 0; }
static void *low(void *arg) { unsigned char k = (long)arg; d[k] = 1; return 0; }
static void *next(void *arg) { int k = (long)arg; d[k] = 1; d[k + 1] = 1; return 0; }
static void *half(void *arg) { int k = (long)arg; d[k / 2] = 1; return 0; }
static void *element(void *arg) { int *p = arg; *p = 1; return 0; }
static void *second(void *arg) { int *p = arg; p[0] = 1; p[1] = 1; return 0; }
static void *some(void *arg) { int k = (long)arg; fread(&d[k], sizeof d[k], total, stdin); return 0; }
static void help(int i, int *p) { p[i] = 2; }
static void *through(void *arg) { help((long)arg, d); return 0; }
static void *twoways(void *arg) { help((long)arg, d); help(1, d); return 0; }
static void *changed(void *arg) { int k = (long)arg; if (total) k = 0; d[k] = 1; return 0; }
static void indirect(int k) { d[k] = 3; }
static void *called(void *arg) { indirect((long)arg); return 0; }
static void *calledtwice(void *arg) { indirect((long)arg); indirect(0); return 0; }
static void *far(void *arg) { int k = (long)arg; int *p = d + k; p[total] = 1; return 0; }
static void *moved(void *arg) { int k = (long)arg; d[k + total] = 1; return 0; }
static void *off(void *arg) { int *p = arg; p[total] = 1; return 0; }
static void lower(int k) { indirect(k); }
static void second2(int j, int k) { d[k] = j; }
static void *passednext(void *arg) { indirect((long)arg); indirect((long)arg + 1); return 0; }
static void *lowered(void *arg) { lower((long)arg); return 0; }
static void *loweredtwice(void *arg) { lower((long)arg); lower(0); return 0; }
static void *asecond(void *arg) { second2(0, (long)arg); return 0; }
static void *asecondtwice(void *arg) { second2(0, (long)arg); second2(0, 0); return 0; }
static void join(int n) { while (n > 0) pthread_join(ids[--n], 0); }
`

// creating is a program whose main creates threads in a loop.
func creating(init, loop, body, more string) string {
	return "int main(int argc, char **argv) { " + init + " " + loop + " { " + body + " } " + more + " return 0; }"
}

const upTo4 = "for (int i = 0; i < 4; i++)"

// TestPrivateElements has threads that access an element of an array by the number that they are given.
func TestPrivateElements(t *testing.T) {
	create := func(f, arg string) string {
		return "pthread_create(&ids[i], 0, " + f + ", (void *)(long)(" + arg + "));"
	}
	checkRules(t, privateHeader, "d[…]", []ruled{
		{"its number", creating("", upTo4, create("number", "i"), ""), scan.ThreadLocal},
		{"some number of bytes from there on", creating("total = argc;", upTo4, create("some", "i"), ""), scan.Suspected},
		{"through an argument", creating("", upTo4, create("called", "i"), ""), scan.ThreadLocal},
		{"through an argument, and another one", creating("", upTo4, create("calledtwice", "i"), ""), scan.Suspected},
		{"shifted", creating("", upTo4, create("number", "i + 3"), ""), scan.ThreadLocal},
		{"the same for two", creating("", upTo4, create("number", "i / 2"), ""), scan.Suspected},
		{"lowest bits", creating("", upTo4, create("number", "i & 3"), ""), scan.Suspected},
		{"a constant", creating("", upTo4, create("number", "1"), ""), scan.Suspected},
		{"fewer bits", creating("", upTo4, create("low", "i"), ""), scan.Suspected},
		{"the next one, too", creating("", upTo4, create("next", "i"), ""), scan.Suspected},
		{"of half the number", creating("", upTo4, create("half", "i"), ""), scan.Suspected},
		{"changed by the thread", creating("", upTo4, create("changed", "i"), ""), scan.Suspected},
		{"steps of two", creating("", "for (int i = 0; i < 8; i += 2)", create("number", "i"), ""), scan.ThreadLocal},
		{"steps of two, and the next one, too", creating("", "for (int i = 0; i < 8; i += 2)", create("next", "i"), ""), scan.Suspected},
		{"downwards", creating("", "for (int i = 4; i > 0; i--)", create("number", "i"), ""), scan.ThreadLocal},
		{"a counter that wraps around", creating("", "for (unsigned char i = 0; i < 1000; i++)", create("number", "i"), ""), scan.Suspected},
		{"no steps", creating("", "for (int i = 0; i < 4; i += argc - 1)", create("number", "i"), ""), scan.Suspected},
		{"a step that may be left out", creating("", "for (int i = 0; i < 4;)", create("number", "i")+" if (argc) i++;", ""), scan.Suspected},
		{"back again", creating("", upTo4, create("number", "i")+" if (argc == i) i--;", ""), scan.Suspected},
		{"two in a turn", creating("", upTo4, create("number", "i")+create("number", "i"), ""), scan.Suspected},
		{"an inner loop", creating("", upTo4, "for (int j = 0; j < 2; j++) "+create("number", "i"), ""), scan.Suspected},
		{"twice", "static void start(void) { " + upTo4 + create("number", "i") + " } int main(void) { start(); start(); return 0; }", scan.Suspected},
		{"twice, joined in between", "static void start(void) { " + upTo4 + create("number", "i") + upTo4 + " pthread_join(ids[i], 0); } int main(void) { start(); start(); return 0; }", scan.ThreadLocal},
		{"twice, some joined in between", "static void start(void) { " + upTo4 + create("number", "i") + " for (int i = 1; i < 4; i++) pthread_join(ids[i], 0); } int main(void) { start(); start(); return 0; }", scan.Suspected},
		{"an outer loop", creating("", "for (int o = 0; o < 2; o++) "+upTo4, create("number", "i"), ""), scan.Suspected},
		{"of another thread each", "static void *start(void *p) { " + upTo4 + create("number", "i") + " return 0; } int main(void) { pthread_t a, b; pthread_create(&a, 0, start, 0); pthread_create(&b, 0, start, 0); return 0; }", scan.Suspected},
		{"recursive", "static void start(int n) { " + upTo4 + " { if (n) start(n - 1); " + create("number", "i") + " } } int main(void) { start(1); return 0; }", scan.Suspected},
		{"another thread", creating("pthread_t x; pthread_create(&x, 0, number, (void *)2L);", upTo4, create("number", "i"), ""), scan.Suspected},
		{"main before", creating("", upTo4, "d[i] = 5;"+create("number", "i"), ""), scan.ThreadLocal},
		{"main after", creating("", upTo4, create("number", "i")+"d[i] = 5;", ""), scan.Suspected},
		{"main before, the element before", creating("", upTo4, "if (i) d[i - 1] = 5;"+create("number", "i"), ""), scan.Suspected},
		{"main before, the counter moved first", creating("", "for (int i = 0; i < 4;)", "i++; d[i] = 5;"+create("number", "i - 1"), ""), scan.Suspected},
		{"main at the end", creating("", upTo4, create("number", "i"), "d[2] = 1;"), scan.Suspected},
		{"moved by a variable", creating("total = argc;", upTo4, create("number", "i + total")+"total--;", ""), scan.Suspected},
		{"moved by a variable in the thread", creating("", upTo4, create("moved", "i")+"total--;", ""), scan.Suspected},
		{"by a pointer to its element, with an index", creating("", upTo4, create("far", "i")+"total--;", ""), scan.Suspected},
		{"fewer bits are given", creating("", "for (int i = 0; i < 1000; i++)", create("number", "(unsigned char)i"), ""), scan.Suspected},
		{"a truth value", creating("", upTo4, create("number", "(_Bool)i"), ""), scan.Suspected},
		{"a floating number", creating("", upTo4, create("number", "(float)i"), ""), scan.Suspected},
		{"passed on, and the next one", creating("", upTo4, create("passednext", "i"), ""), scan.Suspected},
		{"passed on twice over", creating("", upTo4, create("lowered", "i"), ""), scan.ThreadLocal},
		{"passed on twice over, and another one", creating("", upTo4, create("loweredtwice", "i"), ""), scan.Suspected},
		{"a second argument", creating("", upTo4, create("asecond", "i"), ""), scan.ThreadLocal},
		{"a second argument, and another one", creating("", upTo4, create("asecondtwice", "i"), ""), scan.Suspected},
		{"called back with any number", "void outside(int, void (*)(int)); static void *back(void *arg) { outside((long)arg, indirect); return 0; } " + creating("", upTo4, create("back", "i"), ""), scan.Suspected},
		{"main before, with an index behind it", creating("", upTo4, "int *p = &d[i]; p[argc] = 5;"+create("number", "i"), ""), scan.Suspected},
		{"left early", creating("", upTo4, create("number", "i")+"if (argc > 2) break;", ""), scan.ThreadLocal},
	})
}

// TestPrivateBase has threads that get at the elements by a pointer.
func TestPrivateBase(t *testing.T) {
	const own = `static void *mine(void *arg) { int k = (long)arg; ptr[k] = 1; return 0; }
		static void *moves(void *arg) { int k = (long)arg; ptr[k] = 1; ptr = ptr + 1; return 0; }
		`
	const held = `struct { long n; int *p, *q; } s, t;
		static void *fourth(void *arg) { int k = (long)arg; s.p[k] = 1; return 0; }
		static void *fifth(void *arg) { int k = (long)arg; s.p[k] = 1; s.q[k] = 1; return 0; }
		`
	create := func(f string) string { return "pthread_create(&ids[i], 0, " + f + ", (void *)(long)i);" }
	checkRules(t, privateHeader+own, "d[…]", []ruled{
		{"set before", creating("ptr = d;", upTo4, create("mine"), ""), scan.ThreadLocal},
		{"set again in a turn", creating("ptr = d;", upTo4, create("mine")+"ptr++;", ""), scan.Suspected},
		{"set by a thread", creating("ptr = d;", upTo4, create("moves"), ""), scan.Suspected},
		{"set by another thread", "static void *set(void *p) { ptr++; return 0; } " + creating("ptr = d; pthread_t x; pthread_create(&x, 0, set, 0);", upTo4, create("mine"), ""), scan.Suspected},
		{"set by a thread that has ended", "static void *set(void *p) { ptr++; return 0; } " + creating("ptr = d; pthread_t x; pthread_create(&x, 0, set, 0); pthread_join(x, 0);", upTo4, create("mine"), ""), scan.ThreadLocal},
		{"set afterwards", creating("ptr = d;", upTo4, create("mine"), "ptr = d + 1;"), scan.Suspected},
		{"one of several bases", "int *ptrs[3]; static void *third(void *arg) { int k = (long)arg; ptrs[1][k] = 1; return 0; } " + creating("ptrs[1] = d;", upTo4, create("third"), ""), scan.ThreadLocal},
		{"one of several bases, which are set", "int *ptrs[3]; static void *third(void *arg) { int k = (long)arg; ptrs[1][k] = 1; return 0; } " + creating("ptrs[1] = d;", upTo4, create("third")+"ptrs[argc] = d + 1;", ""), scan.Suspected},
		{"in a member", held + creating("s.p = d;", upTo4, create("fourth"), ""), scan.ThreadLocal},
		{"in a member, beside one that is set", held + creating("s.p = d;", upTo4, create("fourth")+"s.n = i;", ""), scan.ThreadLocal},
		{"in a member, which is set", held + creating("s.p = d;", upTo4, create("fourth")+"s.p = d + 1;", ""), scan.Suspected},
		{"in a member, which is overwritten with the rest", held + creating("s.p = d; t.p = d + 1;", upTo4, create("fourth")+"s = t;", ""), scan.Suspected},
		{"in a member, one byte of which is set", held + creating("s.p = d;", upTo4, create("fourth")+"*(char *)&s.p += 4;", ""), scan.Suspected},
		{"in members of the same value but one", held + creating("s.p = d; s.q = d + 1;", upTo4, create("fifth"), ""), scan.Suspected},
		{"in a member of an element, another one of which is set", "struct { long n; int *p; } es[3]; static void *sixth(void *arg) { int k = (long)arg; es[1].p[k] = 1; return 0; } " + creating("es[1].p = d;", upTo4, create("sixth")+"es[argc].p = d + 1;", ""), scan.Suspected},
		{"its address goes elsewhere", "int **pp; " + creating("ptr = d; pp = &ptr;", upTo4, create("mine")+"*pp = d + 1;", ""), scan.Suspected},
	})
}

// TestPrivatePointers has threads that are given the address of their element.
func TestPrivatePointers(t *testing.T) {
	create := func(f, arg string) string { return "pthread_create(&ids[i], 0, " + f + ", " + arg + ");" }
	checkRules(t, privateHeader, "d[…]", []ruled{
		{"its address", creating("", upTo4, create("element", "&d[i]"), ""), scan.ThreadLocal},
		{"in a variable", creating("", upTo4, "int *p = &d[i]; *p = 4; "+create("element", "p"), ""), scan.ThreadLocal},
		{"by a pointer", creating("int *p = d;", upTo4, create("element", "p + i"), ""), scan.ThreadLocal},
		{"by a pointer that moves, too", creating("int *p = d + 4;", upTo4, create("element", "p + i")+"p--;", ""), scan.Suspected},
		{"with an index", creating("", upTo4, create("off", "&d[i]")+"total--;", ""), scan.Suspected},
		{"moved by a variable", creating("", upTo4, create("element", "&d[i] + total")+"total--;", ""), scan.Suspected},
		{"of the first one", creating("", upTo4, create("element", "&d[0]"), ""), scan.Suspected},
		{"of two", creating("", upTo4, create("second", "&d[i]"), ""), scan.Suspected},
		{"of two each", creating("", upTo4, create("second", "&d[2 * i]"), ""), scan.Suspected},
		{"written before", creating("", upTo4, "d[i] = i;"+create("element", "&d[i]"), ""), scan.ThreadLocal},
		{"written after", creating("", upTo4, create("element", "&d[i]")+"d[i] = i;", ""), scan.Suspected},
	})
}

// TestPrivateArrays has threads that access elements of an array within theirs, and some of that of a thread before.
func TestPrivateArrays(t *testing.T) {
	const own = "struct wide { int a[2], b[4], c; } ws[8]; "
	thread := func(body string) string {
		return own + "static void *arrays(void *arg) { int k = (long)arg; " + body + " return 0; } " + creating("", upTo4, "pthread_create(&ids[i], 0, arrays, (void *)(long)(i + 1));", "")
	}
	given := func(body string) string {
		return own + "static void *parts(void *arg) { struct wide *w = arg; int j = total & 3; " + body + " return 0; } " + creating("", upTo4, "pthread_create(&ids[i], 0, parts, &ws[i + 1]);", "")
	}
	checkRules(t, privateHeader, "ws[…].b[…]", []ruled{
		{"its own, by a pointer", given("if (j < 2) w->a[j] = 1; w->b[j] = 1;"), scan.ThreadLocal},
		{"by a pointer and the index of a smaller array, and that of the one before", given("if (j < 2) w->a[j] = 1; int *p = &w->b[j]; *p = 1; (w - 1)->b[3] = 1;"), scan.Suspected},
		{"its own", thread("ws[k].b[total & 3] = 1;"), scan.ThreadLocal},
		{"that of the one before, too", thread("ws[k].b[total & 3] = 1; (&ws[k] - 1)->b[3] = 1;"), scan.Suspected},
		{"that of the one before", thread("(&ws[k] - 1)->b[total & 3] = 1;"), scan.ThreadLocal},
		{"that of the number before", thread("ws[k - 1].b[total & 3] = 1;"), scan.ThreadLocal},
		{"by the index of a smaller array, and that of the one before", thread("int j = total & 3; ws[k].a[j & 1] = 1; ws[k].a[j] = 1; int *p = &ws[k].b[j]; if (total) p = &ws[k].b[j]; *p = 1; ws[k - 1].b[3] = 1;"), scan.Suspected},
	})
}

// TestPrivateObjects has threads that are given objects.
func TestPrivateObjects(t *testing.T) {
	const own = "static void *use(void *arg) { struct rec *r = arg; r->a = 1; r->buf[total & 1] = 2; free(r); return 0; } "
	create := "pthread_create(&ids[i], 0, use, r);"
	for _, c := range []struct {
		name, src string
		why       scan.Why
	}{
		{"each turn", creating("", "while (argc--)", "int i = argc & 7; struct rec *r = malloc(sizeof *r); "+create, ""), scan.ThreadLocal},
		{"each call", "static void start(int i) { struct rec *r = malloc(sizeof *r); " + create + " } " + creating("", upTo4, "start(i);", ""), scan.ThreadLocal},
		{"some turns", creating("struct rec *r = 0;", upTo4, "if (i != 2) r = malloc(sizeof *r); "+create, ""), scan.Suspected},
		{"before the loop", creating("struct rec *r = malloc(sizeof *r);", upTo4, create, ""), scan.Suspected},
		{"the one before", creating("struct rec *r = 0, *old = 0;", upTo4, "old = r; r = malloc(sizeof *r); if (old && argc) r = old; "+create, ""), scan.Suspected},
		{"kept from the turn before", creating("struct rec *r = malloc(sizeof *r), *s;", upTo4, create+" s = malloc(sizeof *s); if (argc) r = s;", ""), scan.Suspected},
		{"for two", creating("", upTo4, "struct rec *r = malloc(sizeof *r); "+create+create, ""), scan.Suspected},
		{"for an inner loop", creating("", upTo4, "struct rec *r = malloc(sizeof *r); for (int j = 0; j < 2; j++) "+create, ""), scan.Suspected},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := analyse(t, load(t, text(t, privateHeader+own+c.src)).Program)
			found := map[string]scan.Why{}
			for _, l := range r.Locations {
				if strings.Contains(l.Name, " at ") {
					found[l.Name] = l.Why
				}
			}
			if len(found) < 2 {
				t.Errorf("only %v", found)
			}
			for name, why := range found {
				if why != c.why {
					t.Errorf("%s: %s instead of %s", name, why, c.why)
				}
			}
		})
	}
}
