package scan_test

import (
	"testing"

	"comus/scan"
)

// ruled is a program with what is expected of the location g, or another one.
type ruled struct {
	name, src string
	why       scan.Why
}

// checkRules analyses programs that begin with a header.
func checkRules(t *testing.T, header, location string, list []ruled) {
	t.Helper()
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			r := analyse(t, load(t, text(t, header+c.src)).Program)
			why, found := scan.Ordered, false
			for _, l := range r.Locations {
				if l.Name == location {
					why, found = l.Why, true
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
