package waits_test

import (
	"strings"
	"testing"
)

// TestEnds has programs that deadlock by what is in «», and are proved without it: ways that end the program and on which a thread waits for who waits at a barrier, numbers that a conversion changes, and condition variables that are
// written while a thread waits.
func TestEnds(t *testing.T) {
	const begin = `#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define L pthread_mutex_lock
#define U pthread_mutex_unlock
#define W pthread_barrier_wait(&bar)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER, none = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t bar;
static pthread_t t, u, v[300];
static int done, rounds;
`
	const (
		comes = "static void *f(void *p) { W; return 0; }\n"
		waits = "static void *f(void *p) { L(&m); while (!done) pthread_cond_wait(&cv, &m); U(&m); return 0; }\n"
		sets  = "L(&m); done = 1; pthread_cond_broadcast(&cv); U(&m); pthread_join(t, 0); return 0; }\n"
		one   = "int main(int argc, char **argv) { int bad = argc > 1; pthread_barrier_init(&bar, 0, 2); pthread_create(&t, 0, f, 0); "
		two   = "int main(int argc, char **argv) { int bad = argc > 1; rounds = argc > 1 ? atoi(argv[1]) : 3; pthread_barrier_init(&bar, 0, 2); pthread_create(&u, 0, g, &rounds); pthread_create(&t, 0, f, &rounds); "
		last  = "pthread_join(t, 0); return 0; }\n"
	)
	for _, x := range []struct{ name, text string }{
		{"main returns", comes + one + "if (bad) { «pthread_join(t, 0);» return 1; } W; " + last},
		{"main exits", comes + one + "if (bad) { «pthread_join(t, 0);» exit(1); } W; " + last},
		{"main calls a function that exits", "static _Noreturn void die(void) { «pthread_join(t, 0);» exit(1); }\n" + comes + one + "if (bad) die(); W; " + last},
		{"at exit", "static void clean(void) { «pthread_join(t, 0);» }\n" + comes + one + "if (bad) { at_quick_exit(clean); quick_exit(1); } W; " + last},
		{"a thread exits", "static void *g(void *p) { W; return 0; }\nstatic void *f(void *p) { if (*(int *)p) { «pthread_join(u, 0);» exit(1); } W; return 0; }\n" + two + last},
		{"a thread exits with a lock", "static void *g(void *p) { while (pthread_mutex_trylock(&m) != 0) sched_yield(); W; U(&m); return 0; }\nstatic void *f(void *p) { if (*(int *)p) { «L(&m);» exit(1); } W; return 0; }\n" + two + last},
		{"rounds of another sign", "static void *f(void *p) { for (int i = 0; i < rounds; i++) W; return 0; }\nstatic void *g(void *p) { for («unsigned» int i = 0; i < rounds; i++) W; return 0; }\n" + two + last},
		{"a number of another sign", comes + "int main(int argc, char **argv) { «short» int k = atoi(argv[1]); pthread_barrier_init(&bar, 0, («unsigned short» int)k + 1); for (int i = 0; i < k; i++) pthread_create(&v[i], 0, f, 0); W; return 0; }\n"},
		{"set to zeros", waits + "int main(void) { pthread_create(&t, 0, f, 0); «memset(&cv, 0, sizeof cv);» " + sets},
		{"copied", waits + "int main(void) { pthread_create(&t, 0, f, 0); «cv = none;» " + sets},
		{"made anew", waits + "int main(void) { pthread_create(&t, 0, f, 0); «pthread_cond_init(&cv, 0);» " + sets},
		{"made anew by another thread", waits + "static void *h(void *p) { «pthread_cond_init(&cv, 0);» return 0; }\nint main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, h, 0); pthread_join(u, 0); " + sets},
	} {
		t.Run(x.name, func(t *testing.T) {
			right := wrong.ReplaceAllString(x.text, "")
			if _, err := loadText(t, begin+right).arranged(t); err != nil {
				t.Errorf("not proved without it: %v", err)
			}
			if _, err := loadText(t, begin+strings.NewReplacer("«", "", "»", "").Replace(x.text)).arranged(t); err == nil {
				t.Error("proved")
			}
		})
	}
}
