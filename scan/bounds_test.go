package scan_test

import (
	"slices"
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/cir"
	"comus/scan"
	"comus/scan/pointsto"
)

// TestBounds has pointers that leave their objects and come back, and such that only seem to: nothing is accessed out of an object, but what comes back is.
func TestBounds(t *testing.T) {
	const program = `#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stddef.h>
struct link { struct link *next, *prev; };
struct item { long x, y; struct link at; long z; };
struct link head; struct item one; long word; long arr[4]; struct { long a, b; } pair, pairs[3]; long *other, *kept; char bytes[8];
void *mem; int n; static long apart;
#define OF(p) ((struct item *)((char *)(p) - offsetof(struct item, at)))
static void *out(void *p, long d) { return (char *)p + d; }
static void *f(void *arg) { FIRST; return 0; }
static void *g(void *arg) { SECOND; return 0; }
int main(void) {
  pthread_t a, b;
  head.next = n ? &one.at : &head;
  INIT;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
  return 0;
}
`
	for _, c := range []struct {
		name, init, first, second string
		free                      bool
	}{
		{"the head of a list is no item", "", "OF(head.next)->z = 1", "head.prev = 0", true},
		{"an item is", "", "OF(head.next)->z = 1", "one.z = 2", false},
		{"out and back", "", "char *p = (char *)&word - 32; p += 32; *(long *)p = 1", "word = 2", false},
		{"out and back by a function", "", "*(long *)out(out(&word, 4096), -4096) = 1", "word = 2", false},
		{"out and elsewhere", "", "char *p = (char *)&pair - 32; p += 40; *(long *)p = 1", "pair.a = 2", true},
		{"out and there", "", "char *p = (char *)&pair - 32; p += 40; *(long *)p = 1", "pair.b = 2", false},
		{"far out and back", "", "char *p = (char *)&word; for (int i = 0; i < 100; i++) p += 8; for (int i = 0; i < 100; i++) p -= 8; *(long *)p = 1", "word = 2", false},
		{"far before and back", "", "char *p = (char *)&word; for (int i = 0; i < 100; i++) p -= 8; for (int i = 0; i < 100; i++) p += 8; *(long *)p = 1", "word = 2", false},
		{"an array and back", "", "char *p = (char *)&arr[2] + 100; p -= 100; *(long *)p = 1", "arr[2] = 2", false},
		{"an array from before", "", "long *p = arr - 1; p[k1()] = 1", "arr[0] = 2", false},
		{"an array of structs and back", "", "char *p = (char *)&pairs[1] - 200; p += 200; ((long *)p)[0] = 1", "pairs[1].a = 2", false},
		{"too large", "", "long *p = n ? &word : (long *)bytes; if (n) *p = 1; else p[0] = 2", "bytes[0] = 1", false},
		{"a member behind the end", "other = n ? &word : &one.x", "((struct item *)other)->z = 1", "word = 2", true},
		{"a member within", "other = n ? &word : &one.x", "((struct item *)other)->z = 1", "one.z = 2", false},
		{"memory that is too small", "mem = malloc(8); other = n ? mem : &one.x", "((struct item *)other)->z = 1", "*(long *)mem = 2", true},
		{"memory that is large enough", "mem = malloc(40); other = n ? mem : &one.x", "((struct item *)other)->z = 1", "((long *)mem)[4] = 2", false},
		{"memory of some size", "mem = malloc(n); other = n ? mem : &one.x", "((struct item *)other)->z = 1", "((long *)mem)[4] = 2", false},
		{"an array at the end", "mem = malloc(n * 8 + 8)", "struct v { long n, v[]; } *p = mem; p->v[3] = 1", "((long *)mem)[4] = 1", false},
		{"a pointer is kept there", "((long **)&one)[2] = &word", "kept = ((long **)out(out(&one, 100), -84))[0]; *kept = 1", "word = 2", false},
		{"free of memory only", "mem = malloc(8); other = n ? mem : &word", "if (other != &word) free(other)", "word = 2", true},
		{"free of memory", "mem = malloc(8); other = n ? mem : &word", "if (other != &word) free(other)", "*(char *)mem = 2", false},
		{"free of the beginning", "mem = malloc(8); other = n ? mem : &word", "free((char *)other - 4 + 4)", "*(char *)mem = 2", false},
		{"a long line", "", "fgets(bytes, 4096, stdin)", "bytes[1] = 1", false},
		{"a line", "", "char *p = bytes; if (n) p = (char *)&word; fgets(p, 4096, stdin)", "word = 1", false},
		{"a walk", "", "for (char *p = (char *)&pair; *p; p++) *p = 1", "pair.b = 2", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := strings.ReplaceAll(c.first, "k1()", "n")
			p := load(t, text(t, strings.NewReplacer("INIT", c.init, "FIRST", first, "SECOND", c.second).Replace(program))).Program
			r := analyse(t, p)
			if _, suspects := r.RaceFree(); (suspects == 0) != c.free {
				t.Errorf("%d suspects", suspects)
			}
			certified(t, p)
		})
	}
}

// TestReplaced has calls through pointers that lead to functions of the program's, and perhaps outside: those outside write where they are given a pointer, and call what they find
// there, but what they keep is not followed as long as there is one of the program's, which is said.
func TestReplaced(t *testing.T) {
	const sentence = "if code outside has put a function where a pointer may lead to a function that the program names, that function keeps no pointer that it is given"
	const program = `#include <pthread.h>
struct ops { void (*run)(long *); void (*with)(void (*)(long *), long *); };
void setup(struct ops *); void *find(const char *);
long shared, *kept;
static void own(long *p) { OWN; }
static void back(long *p) { shared = 1; }
struct ops ops;
static void *f(void *arg) { long x = 0; BODY; return 0; }
int main(void) {
  pthread_t a, b;
  INIT;
  setup(&ops);
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
  return 0;
}
`
	for _, c := range []struct {
		name, own, init, body string
		free, said            bool
	}{
		{"its own keeps nothing", "*p = 1", "ops.run = own", "ops.run(&x); x = 2", true, true},
		{"its own keeps it", "kept = p; *kept = 1", "ops.run = own", "ops.run(&x); x = 2", false, true},
		{"only outside", "", "", "ops.run(&x); x = 2", false, false},
		{"found by name", "", "ops.run = find(\"run\")", "ops.run(&x); x = 2", false, false},
		{"what is shared is accessed outside", "*p = 1", "ops.run = own", "ops.run(&shared)", false, true},
		{"a function is called outside", "", "ops.run = own; ops.with = (void (*)(void (*)(long *), long *))own", "ops.with(back, &x)", false, true},
		{"none is", "", "ops.run = own; ops.with = (void (*)(void (*)(long *), long *))own", "ops.with(0, &x)", true, true},
		{"not outside at all", "*p = 1", "", "void (*run)(long *) = own; run(&x); x = 2", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, text(t, strings.NewReplacer("INIT", c.init, "BODY", c.body, "OWN", c.own).Replace(program))).Program
			r := analyse(t, p)
			suspected := false
			for _, l := range r.Locations {
				suspected = suspected || len(l.Suspects) > 0 && (l.Object == "x" || l.Object == "shared")
			}
			if suspected == c.free {
				t.Errorf("suspected: %v", suspected)
			}
			if slices.Contains(r.Assumptions, sentence) != c.said {
				t.Errorf("assumed %q", r.Assumptions)
			}
			certified(t, p)
		})
	}
}

// certified checks that each location without suspects is certified, and that the check takes the same for granted.
func certified(t *testing.T, p *cir.Program) {
	t.Helper()
	pts, err := pointsto.AnalyseOpen(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := scancheck.Check(t.Context(), p, pts, r.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range r.Locations {
		if (l.Why == scan.Suspected) == rep.Certified(i) {
			t.Errorf("%s (%v): certified %v: %s", l.Name, l.Why, rep.Certified(i), rep.Wrong[i])
		}
	}
	for _, s := range rep.Assumptions {
		if !slices.Contains(r.Assumptions, s) && s != pointsto.StoresFirst { // whether that matters is told by what pointers lead to, which the check knows less of
			t.Errorf("the check assumes %q", s)
		}
	}
}
