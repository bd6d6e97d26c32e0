package scan_test

import (
	"testing"

	"comus/check/scancheck"
	"comus/scan"
	"comus/scan/points"
)

// pair is a program, and one that differs only in what matters: the first one has no suspects and is certified, the second one has some.
type pair struct{ name, safe, unsafe string }

// checkPairs looks at all locations of programs, also at those of the library.
func checkPairs(t *testing.T, header string, list []pair) {
	t.Helper()
	for _, c := range list {
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
	pts, err := points.AnalyseOpen(t.Context(), p)
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
