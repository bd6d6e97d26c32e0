package scan_test

import (
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/pointsto"
)

// ruled is a program with what is expected of the location g, or another one.
type ruled struct {
	name, src string
	why       scan.Why
}

// checkRules analyses programs that begin with a header.
func checkRules(t *testing.T, header, location string, list []ruled) {
	t.Helper()
	for i, c := range list {
		if !long.Turn(i, 6) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			p := load(t, text(t, header+c.src)).Program
			pts, err := pointsto.AnalyseOpen(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			r, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true})
			if err != nil {
				t.Fatal(err)
			}
			why, found := scan.Ordered, false
			rep, err := scancheck.Check(t.Context(), p, pts, r.Certificate)
			if err != nil {
				t.Fatal(err)
			}
			for i, l := range r.Locations {
				if l.Name != location {
					continue
				}
				why, found = l.Why, true
				if l.Why == scan.Suspected && rep.Certified(i) {
					t.Error("certified, but it has suspects")
				} else if !rep.Certified(i) && l.Why != scan.Suspected {
					t.Logf("not certified: %s %v", rep.Wrong[i], rep.Refused)
				}
			}
			if why != c.why || !found && c.why != scan.Ordered {
				t.Errorf("%s instead of %s (%t)", why, c.why, found)
			}
		})
	}
}

// TestSpoiltByChild has locks that are held while a thread that was created and joined meanwhile writes to them.
func TestSpoiltByChild(t *testing.T) {
	body := func(lock string) string {
		return `void *child(void *p) { memset(&` + lock + `, 0, sizeof m); return 0; }
			int main(void) { pthread_mutex_lock(&m); pthread_create(&a, 0, child, 0); pthread_join(a, 0);
			pthread_create(&b, 0, locked, 0); g++; pthread_mutex_unlock(&m); return 0; }`
	}
	checkRules(t, header, "g", []ruled{
		{"this lock", body("m"), scan.Suspected},
		{"another lock", body("n"), scan.Locked},
	})
}

const semaphoreHeader = header + `#include <semaphore.h>
#include <signal.h>
sem_t s, r;
static void *counted(void *p) { sem_wait(&s); g++; sem_post(&s); return 0; }
`

// TestSemaphoreLocks has semaphores that exclude, or seem to.
func TestSemaphoreLocks(t *testing.T) {
	body := func(init, between string) string {
		return "int main(void) { " + init + " pthread_create(&a, 0, counted, 0); pthread_create(&b, 0, counted, 0); " + between + " return 0; }"
	}
	checkRules(t, semaphoreHeader, "g", []ruled{
		{"of one", body("sem_init(&s, 0, 1);", ""), scan.Locked},
		{"of two", body("sem_init(&s, 0, 2);", ""), scan.Suspected},
		{"of any number", body("sem_init(&s, 0, h);", ""), scan.Suspected},
		{"counted up before", body("sem_init(&s, 0, 1); sem_post(&s);", ""), scan.Suspected},
		{"counted up later", body("sem_init(&s, 0, 1);", "sem_post(&s);"), scan.Suspected},
		{"another is counted up", body("sem_init(&s, 0, 1); sem_init(&r, 0, 1);", "sem_post(&r);"), scan.Locked},
		{"counted down and up", body("sem_init(&s, 0, 1);", "counted(0);"), scan.Locked},
		{"counted down and up twice", body("sem_init(&s, 0, 1);", "counted(0); sem_post(&s);"), scan.Suspected},
		{"counted up if it was down", body("sem_init(&s, 0, 1);", "if (sem_trywait(&s) == 0) sem_post(&s);"), scan.Locked},
		{"counted up if it was not", body("sem_init(&s, 0, 1);", "if (sem_trywait(&s) != 0) sem_post(&s);"), scan.Suspected},
		{"initialised once more", body("sem_init(&s, 0, 1);", "sem_destroy(&s); sem_init(&s, 0, 1);"), scan.Suspected},
		{"given to unknown code", "void outside(sem_t *); " + body("sem_init(&s, 0, 1); outside(&s);", ""), scan.Suspected},
		{"interrupted", "void handler(int n) {} " + body("signal(SIGINT, handler); sem_init(&s, 0, 1);", ""), scan.Suspected},
		{"interrupted, and tried again", `void handler(int n) {} void *again(void *p) { while (sem_wait(&s) != 0) ; g++; sem_post(&s); return 0; }
			int main(void) { signal(SIGINT, handler); sem_init(&s, 0, 1); pthread_create(&a, 0, again, 0); again(0); return 0; }`, scan.Locked},
		{"handed over", `void *wait(void *p) { sem_wait(&s); g++; return 0; } void *post(void *p) { g++; sem_post(&s); return 0; }
			int main(void) { sem_init(&s, 0, 1); pthread_create(&a, 0, wait, 0); post(0); return 0; }`, scan.Suspected},
		{"cleaned up when cancelled", `void clean(void *p) { g++; } void *f(void *p) { pthread_cleanup_push(clean, 0); sem_wait(&s); pthread_cleanup_pop(0); sem_post(&s); return 0; }
			int main(void) { sem_init(&s, 0, 1); pthread_create(&a, 0, f, 0); pthread_cancel(a); counted(0); return 0; }`, scan.Suspected},
	})
}

// TestBatches has loops that create threads, and loops that join all of them, or seem to.
func TestBatches(t *testing.T) {
	const header = header + `pthread_t ts[8]; int input(void); struct w { int n; pthread_t id; } *ws[8]; int lots;
#define UP for (int i = 0; i < n; i++)
#define MAKE pthread_create(&ts[i], 0, locked, 0);
#define JOIN pthread_join(ts[i], 0);
`
	body := func(s string) string { return "int main(void) { int n = input(); " + s + " g = 1; return 0; }" }
	checkRules(t, header, "g", []ruled{
		{"all", body("UP MAKE UP JOIN"), scan.Locked},
		{"all of four", body("n = 4; UP MAKE UP JOIN"), scan.Locked},
		{"all of a parameter", `void both(int n) { UP MAKE UP JOIN } int main(void) { both(input()); g = 1; both(3); g = 2; return 0; }`, scan.Locked},
		{"in a struct", body("UP { ws[i] = malloc(sizeof **ws); pthread_create(&ws[i]->id, 0, locked, ws[i]); } UP { pthread_join(ws[i]->id, 0); free(ws[i]); }"), scan.Locked},
		{"on the heap", body("pthread_t *hs = malloc(n * sizeof *hs); UP { pthread_create(hs + i, 0, locked, 0); h += i; } UP { pthread_join(hs[i], 0); }"), scan.Locked},
		{"from above", body("for (int i = n - 1; i >= 0; i--) MAKE for (int i = n - 1; i >= 0; i--) JOIN"), scan.Locked},
		{"the first loop ends early", body("UP { if (h) break; MAKE } UP JOIN"), scan.Locked},
		{"some are not created", body("UP { if (h) MAKE } UP JOIN"), scan.Locked},
		{"in rounds", body("for (int k = 0; k < 3; k++) { UP MAKE UP JOIN g++; }"), scan.Locked},
		{"rounds of other sizes", body("for (int k = 0; k < 3; k++) { n = input(); UP MAKE UP JOIN g++; }"), scan.Locked},
		{"with a size in between", body("UP MAKE n = input(); UP JOIN"), scan.Suspected},
		{"a size that is the same name", body("for (int k = 0; k < 9; k++) { n = input(); if (h) { UP MAKE } else { UP JOIN g = 2; } }"), scan.Suspected},
		{"a size in memory", body("lots = n; for (int i = 0; i < lots; i++) MAKE for (int i = 0; i < lots; i++) JOIN"), scan.Suspected},
		{"one id again and again", body("UP MAKE UP pthread_join(ts[0], 0);"), scan.Suspected},
		{"one id, loaded before", body("UP MAKE pthread_t id = ts[0]; UP pthread_join(id, 0);"), scan.Suspected},
		{"one id of a struct", body("static struct w v; n = 1; UP { pthread_create(&v.id, 0, locked, 0); } UP pthread_join(v.id, 0);"), scan.Suspected},
		{"a local that holds each id in turn", body("UP MAKE UP { pthread_t id = ts[i]; pthread_join(id, 0); }"), scan.Locked},
		{"the first element, which each id is moved to", body("UP MAKE UP { ts[0] = ts[i]; pthread_join(ts[0], 0); }"), scan.Locked},
		{"one less", body("UP MAKE for (int i = 0; i < n - 1; i++) JOIN"), scan.Suspected},
		{"from one", body("UP MAKE for (int i = 1; i < n; i++) JOIN"), scan.Suspected},
		{"every second", body("UP MAKE for (int i = 0; i < n; i += 2) JOIN"), scan.Suspected},
		{"the last loop ends early", body("UP MAKE UP { if (h) break; JOIN }"), scan.Suspected},
		{"some are not joined", body("UP MAKE UP { if (h) continue; JOIN }"), scan.Suspected},
		{"two each time", body("UP { for (int k = 0; k < 2; k++) MAKE } UP JOIN"), scan.Suspected},
		{"one more before", body("int i = 0; for (int k = 0; k < 2; k++) { MAKE if (k == 0) continue; }  UP JOIN"), scan.Suspected},
		{"two calls", body("UP MAKE { int i = 0; MAKE } UP JOIN"), scan.Suspected},
		{"without joining before", body("for (int k = 0; k < 2; k++) { UP MAKE if (h) continue; UP JOIN g++; }"), scan.Suspected},
		{"by a function that calls itself", `void both(int n) { UP { if (h) both(n - 1); MAKE if (h) return; } UP JOIN } int main(void) { both(input()); g = 1; return 0; }`, scan.Suspected},
		{"by two threads", `void both(int n) { UP MAKE UP JOIN } void *f(void *p) { both(2); return 0; } int main(void) { pthread_create(&a, 0, f, 0); both(input()); g = 1; return 0; }`, scan.Suspected},
		{"of another call", body("UP MAKE UP { pthread_create(&ts[i], 0, nothing, 0); } UP JOIN"), scan.Suspected},
		{"a round that is left without joining", `int main(void) { int n = input(); for (int k = 0; k < 2; k++) { UP MAKE if (h) continue; UP JOIN g++; } return 0; }`, scan.Suspected},
		{"a round of two that is left without joining", `int main(void) { int n = input(); UP { pthread_create(&ts[i], 0, nothing, 0); } UP JOIN for (int k = 0; k < 2; k++) { UP MAKE if (h) continue; UP JOIN g++; } return 0; }`, scan.Suspected},
		{"rounds that are not left", `int main(void) { int n = input(); for (int k = 0; k < 2; k++) { UP MAKE if (h) h = 2; UP JOIN g++; } return 0; }`, scan.Locked},
		{"of two functions, in a round that is left", `int main(int c, char **v) { int n = input(); for (int k = 0; k < 2; k++) { UP { pthread_create(&ts[i], 0, c > 1 ? locked : nothing, 0); } if (h) continue; UP JOIN g++; } return 0; }`, scan.Suspected},
		{"of two functions, in a round that is left, the other one", `int main(int c, char **v) { int n = input(); for (int k = 0; k < 2; k++) { UP { pthread_create(&ts[i], 0, c > 1 ? nothing : locked, 0); } if (h) continue; UP JOIN g++; } return 0; }`, scan.Suspected},
		{"by a function that calls itself in between", `void both(int n) { pthread_t ts[8]; UP MAKE if (h) both(n - 1); UP JOIN g = 1; } int main(void) { both(input()); return 0; }`, scan.Suspected},
		{"one that is created behind a loop of as many turns", body("UP h++; { int i = 0; MAKE } UP JOIN"), scan.Suspected},
		{"they join the one that joins them", `pthread_t me; static void *back(void *p) { pthread_join(me, 0); return locked(p); }
			int main(void) { int n = input(); me = pthread_self(); UP { pthread_create(&ts[i], 0, back, 0); } UP JOIN g = 1; return 0; }`, scan.Suspected},
		{"changed while it counts", body("UP { MAKE if (h) i--; } UP JOIN"), scan.Suspected},
		{"what they have created", `void *deep(void *p) { pthread_create(&a, 0, locked, 0); return 0; }
			int main(void) { int n = input(); UP { pthread_create(&ts[i], 0, deep, 0); } UP JOIN g = 1; return 0; }`, scan.Suspected},
		{"backwards", body("int k = 0; again: UP { if (k) JOIN } g = 2; UP MAKE if (h) { k = 1; goto again; } "), scan.Suspected},
	})
}
