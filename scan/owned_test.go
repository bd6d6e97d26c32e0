package scan_test

import (
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/pointsto"
)

// pair is a program, and one that differs only in what matters: the first one has no suspects and is certified, the second one has some.
type pair struct{ name, safe, unsafe string }

// checkPairs looks at all locations of programs, also at those of the library.
func checkPairs(t *testing.T, header string, list []pair) {
	t.Helper()
	for i, c := range list {
		if !long.Turn(i, 6) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			if suspects, refused := proof(t, header+c.safe); len(suspects)+len(refused) > 0 {
				t.Errorf("the safe one: suspects %v, refused %v", suspects, refused)
			}
			if suspects, _ := proof(t, header+c.unsafe); len(suspects) == 0 {
				t.Error("the unsafe one has no suspects")
			}
		})
	}
}

// proof returns the locations of a program with suspects, and those without of which the checker does not accept that.
func proof(t *testing.T, src string) (suspects, refused []string) {
	t.Helper()
	p := load(t, text(t, src)).Program
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
		switch {
		case l.Why == scan.Suspected && rep.Certified(i):
			t.Errorf("%s: certified, but it has suspects", l.Name)
		case l.Why == scan.Suspected:
			suspects = append(suspects, l.Name)
		case !rep.Certified(i):
			refused = append(refused, l.Name+": "+rep.Wrong[i])
		}
	}
	return suspects, refused
}

// TestClocks has threads that ask clocks for the time: what the library notes of them for all threads is its own affair.
func TestClocks(t *testing.T) {
	const header = `#include <pthread.h>
#include <time.h>
static struct timespec last;
static long late(struct timespec *t, int clock) { clock_gettime(clock, t); t->tv_nsec += 1000; return t->tv_sec; }
`
	main := func(thread string) string {
		return "static void *ask(void *arg) { struct timespec t; " + thread + ` return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, ask, 0); pthread_create(&b, 0, ask, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
`
	}
	checkPairs(t, header, []pair{
		{"of the day", main("late(&t, CLOCK_REALTIME);"), main("late(&last, CLOCK_REALTIME);")},
		{"monotonic", main("late(&t, CLOCK_MONOTONIC);"), main("late(&last, CLOCK_MONOTONIC);")},
		{"any clock", main("late(&t, arg != 0);"), main("if (late(&t, arg != 0)) last = t;")},
		{"of the thread, and others", main("late(&t, CLOCK_THREAD_CPUTIME_ID); late(&t, CLOCK_REALTIME);"), main("late(&t, CLOCK_THREAD_CPUTIME_ID); late(&last, CLOCK_REALTIME);")},
	})
}

// TestNestedLoops has elements of threads that are created, or joined, in a loop with other loops in it, or in another one.
func TestNestedLoops(t *testing.T) {
	const header = `#include <pthread.h>
#include <stdlib.h>
struct part { const char *begin, *end; int found; } part[8];
static void *look(void *arg) {
  struct part *p = arg;
  for (const char *s = p->begin; s < p->end; s++)
    if (*s == 'x') { p->found = 1; break; }
  return 0;
}
`
	main := func(more, given, joined string) string {
		return `int main(int argc, char **argv) {
  pthread_t ids[8];
  int n = argc, all = 0;
  const char *pos = argv[0], *end = pos + 10;
  if (n < 1 || n > 8) return 2;
  for (int i = 0; i < n; i++) {
    const char *stop = i == n - 1 ? end : pos + 1;
    ` + more + `
    part[i] = (struct part){pos, stop, 0};
    pos = stop;
    if (pthread_create(&ids[i], 0, look, ` + given + `) != 0) exit(1);
  }
  for (int i = 0; i < n; i++) { pthread_join(ids[i], 0); ` + joined + ` }
  return all;
}
`
	}
	const while, twice = "while (stop < end && *stop != ' ') stop++;", "for (int k = 0; k < i; k++) { while (stop < end && *stop != ' ') stop++; stop++; }"
	checkPairs(t, header, []pair{
		{"a loop", main(while, "&part[i]", "all |= part[i].found;"), main(while, "&part[i / 2]", "all |= part[i].found;")},
		{"loops in loops", main(twice, "&part[i]", "all |= part[i].found;"), main("for (int k = 0; k < i; i--) "+while, "&part[i]", "all |= part[i].found;")},
		{"one after another", main(while+while, "part + i", "all |= part[i].found;"), main(while+while+" if (argc > 3) i--;", "part + i", "all |= part[i].found;")},
		{"where they are joined", main("", "&part[i]", "for (int k = 0; k < argc; k++) all += part[i].found;"), main("", "&part[i]", "for (int k = i; k < argc; k++) all += part[k].found;")},
	})
}

// TestCheckedTwice has an object that the first thread which needs it makes: it is looked for without a lock, and again with it.
func TestCheckedTwice(t *testing.T) {
	const header = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
struct conf { int port; char host[16]; };
static _Atomic(struct conf *) conf;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static struct conf *make(void) { struct conf *c = malloc(sizeof *c); if (!c) abort(); c->port = 80; strcpy(c->host, "here"); return c; }
`
	get := func(first, second, store string) string {
		return `static struct conf *get(void) {
  struct conf *c = atomic_load_explicit(&conf, memory_order_` + first + `);
  if (c) return c;
  ` + second + `
  if (!c) { c = make(); ` + store + ` }
  pthread_mutex_unlock(&m);
  return c;
}
static void *client(void *arg) { struct conf *c = get(); return (void *)(long)(c->port + c->host[0]); }
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, client, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  free(atomic_load(&conf));
  return 0;
}
`
	}
	const (
		locked  = "pthread_mutex_lock(&m); c = atomic_load_explicit(&conf, memory_order_relaxed);"
		without = "c = atomic_load_explicit(&conf, memory_order_relaxed); if (c) return c; pthread_mutex_lock(&m); c = atomic_load_explicit(&conf, memory_order_relaxed);"
		again   = "pthread_mutex_lock(&m); c = atomic_load_explicit(&conf, memory_order_acquire);"
		release = "atomic_store_explicit(&conf, c, memory_order_release);"
		relaxed = "atomic_store_explicit(&conf, c, memory_order_relaxed);"
	)
	checkPairs(t, header, []pair{
		{"the second look", get("acquire", locked, release), get("acquire", without, release)},
		{"the first look", get("acquire", locked, release), get("relaxed", locked, release)},
		{"the store", get("acquire", again, release), get("acquire", again, relaxed)},
		{"the lock", get("acquire", locked, release), get("acquire", locked, "pthread_mutex_lock(&other); "+release+" pthread_mutex_unlock(&other);") +
			"static void *more(void *p) { atomic_store_explicit(&conf, make(), memory_order_release); return 0; } int set(void) { pthread_t t; return pthread_create(&t, 0, more, 0); } __attribute__((constructor)) static void begin(void) { set(); }"},
	})
}

// TestOwnTexts has threads that make objects and write texts into them before others know them.
func TestOwnTexts(t *testing.T) {
	const header = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct text { char b[16]; char *p; } *current;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *get(void *arg) { pthread_mutex_lock(&m); struct text *t = current; pthread_mutex_unlock(&m); return t ? (void *)(long)(t->p ? t->p[0] : t->b[0]) : 0; }
`
	program := func(early, late string) string {
		return `static void *set(void *arg) {
  struct text *t = malloc(sizeof *t);
  if (!t) return 0;
  t->p = 0;
  ` + early + `
  pthread_mutex_lock(&m); current = t; pthread_mutex_unlock(&m);
  ` + late + `
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, set, 0);
  for (int i = 1; i < 3; i++) pthread_create(&t[i], 0, get, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
`
	}
	var list []pair
	for _, write := range []string{`strcpy(t->b, "here");`, `strncpy(t->b, "here", sizeof t->b);`, `memcpy(t->b, "here", 5);`, `stpcpy(t->b, "here");`} {
		list = append(list, pair{write, program(write, ""), program("t->b[0] = 0;", write)})
	}
	const dup = `t->b[0] = 1; t->p = strdup("here");`
	list = append(list, pair{"strdup", program(dup, ""), program(dup, "t->p[1] = 1; t->p[0] = 'H';")})
	checkPairs(t, header, list)
}

// TestPrintedInto has elements of an array that printf writes texts into, while ids in them are used for joining.
func TestPrintedInto(t *testing.T) {
	program := func(print string) string {
		return `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct worker { pthread_t id; char text[32]; long done; };
static void *work(void *arg) { struct worker *w = arg; ` + print + ` w->done++; return 0; }
int main(int argc, char **argv) {
  struct worker *ws = calloc(4, sizeof *ws);
  if (!ws) return 1;
  for (int i = 0; i < 4; i++) pthread_create(&ws[i].id, 0, work, &ws[i]);
  long all = 0;
  for (int i = 0; i < 4; i++) { pthread_join(ws[i].id, 0); all += ws[i].done; }
  free(ws);
  return all > 4;
}
`
	}
	checkPairs(t, "", []pair{
		{"a text", program(`snprintf(w->text, sizeof w->text, "%ld in all", w->done);`), program(`snprintf((char *)w, sizeof *w, "%ld in all", w->done);`)},
		{"a number", program(`printf("%5d in all%%n", 1);`), program(`printf("%5d in all%ln", 1, (long *)w);`)},
	})
}

// TestHeld has objects that only an element of a thread's leads to, and functions that are given elements before the creation and after the join.
func TestHeld(t *testing.T) {
	const header = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct part { const int *data; int n; unsigned *count; long total; } part[8];
static int data[64];
static void bump(unsigned *c, int k) { c[k & 7]++; }
static void *run(void *arg) {
  struct part *p = arg;
  for (int i = 0; i < p->n; i++) { p->count[p->data[i] & 7]++; bump(p->count, i); p->total += p->data[i]; }
  return 0;
}
static void setup(struct part *p, int i) { memset(p, 0, sizeof *p); p->data = data + i * 8; p->n = 8; }
static void merge(unsigned *all, const struct part *p) { for (int b = 0; b < 8; b++) all[b] += p->count[b]; }
static int make(struct part *p) { p->count = calloc(8, sizeof *p->count); return p->count != 0; }
static int make2(struct part *p, unsigned *c) { p->count = c ? c : calloc(8, sizeof *p->count); return p->count != 0; }
static void drop(struct part *p) { free(p->count); }
`
	program := func(make, more, join string) string {
		return `int main(int argc, char **argv) {
  struct part *ps = part;
  pthread_t ids[8];
  unsigned all[8] = {0}, *c = 0;
  long total = 0;
  for (int i = 0; i < 8; i++) {
    setup(&ps[i], i);
    ` + make + `
    if (!ps[i].count || pthread_create(&ids[i], 0, run, &ps[i]) != 0) exit(1);
    ` + more + `
  }
  for (int i = 0; i < 8; i++) {
    ` + join + `
  }
  return total > 5 || all[0] || c;
}
`
	}
	const calloc, join = "ps[i].count = calloc(8, sizeof *ps[i].count);", "pthread_join(ids[i], 0); merge(all, &ps[i]); total += ps[i].total; drop(&ps[i]);"
	safe := program(calloc, "", join)
	checkPairs(t, header, []pair{
		{"its own", safe, program("if (!c) c = calloc(8, sizeof *c); ps[i].count = c;", "", join)},
		{"by a function", program("if (!make(&ps[i])) exit(1);", "", join), program("if (!make2(&ps[i], i ? ps[0].count : 0)) exit(1);", "", join)},
		{"by a function, for another one", program("if (!make(&ps[i])) exit(1);", "", join), program("if (!make(&ps[i])) exit(1); if (i && !make(&ps[i - 1])) exit(1);", "", join)},
		{"allocated each time", program("unsigned *d = malloc(32); if (!d) exit(1); memset(d, 0, 32); ps[i].count = d; c = d;", "", join),
			program("unsigned *d = i == 3 ? c : malloc(32); if (!d) exit(1); memset(d, 0, 32); ps[i].count = d; c = d;", "", join)},
		{"merged", safe, program(calloc, "", "merge(all, &ps[i]); pthread_join(ids[i], 0); total += ps[i].total; drop(&ps[i]);")},
		{"dropped", safe, program(calloc, "", "drop(&ps[7 - i]); pthread_join(ids[i], 0);")},
		{"set up again", safe, program(calloc, "setup(&ps[i], i);", join)},
		{"set up with the next one", safe, program(calloc+" if (i) setup(&ps[i - 1], i);", "", join)},
		{"another one's", safe, program(calloc+" if (i) ps[i].count = ps[i - 1].count;", "", join)},
		{"exchanged", safe, program(calloc, "", "if (i == 0) { c = ps[0].count; ps[0].count = ps[1].count; ps[1].count = c; } "+join)},
		{"used before", program(calloc+" if (!ps[i].count) exit(1); ps[i].count[0] = i;", "", join), program(calloc, "ps[i].count[0] = i;", join)},
		{"freed early", safe, program(calloc, "if (i == 3) drop(&ps[i]);", join)},
		{"created again", safe, program(calloc, "", "pthread_join(ids[i], 0); pthread_create(&ids[i], 0, run, &ps[i]); merge(all, &ps[i]);")},
		{"cleared", program(calloc, "", join+" ps[i].count = 0;"), program(calloc, "", "ps[i].count = 0; "+join)},
		{"by any of its members", safe, program(calloc+" ps[i].data = (int *)ps[i / 2].count;", "", join)},
	})
}
