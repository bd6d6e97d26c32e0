package scan_test

import (
	"testing"

	"comus/check/scancheck"
	"comus/scan"
	"comus/scan/pointsto"
)

// TestCertifiedOrders has pairs of programs that differ in one thing: of the first one all is certified, of the second one not.
func TestCertifiedOrders(t *testing.T) {
	const sem = "\n#include <semaphore.h>\nsem_t s; static void *use(void *p) { sem_wait(&s); g++; sem_post(&s); return 0; } "
	two := func(init, more string) string {
		return sem + "int main(int argc, char **argv) { " + init + " pthread_create(&a, 0, use, 0); pthread_create(&b, 0, use, 0); " + more + " return 0; }"
	}
	// member has a semaphore in an object on the heap, right before what it guards, and branches while it is held.
	member := func(use, init string) string {
		return header + `
#include <semaphore.h>
#include <stdlib.h>
struct account { sem_t s; long n; };
static void take(struct account *x) { sem_wait(&x->s); }
static void *use(void *p) { struct account *x = p; ` + use + ` return 0; }
int main(int argc, char **argv) { struct account *x = malloc(sizeof *x); sem_init(&x->s, 0, ` + init + `); x->n = argc;
pthread_create(&a, 0, use, x); pthread_create(&b, 0, use, x); pthread_join(a, 0); pthread_join(b, 0); sem_destroy(&x->s); free(x); return 0; }`
	}
	// returned stores a struct that a function returns, which perhaps gives back the lock.
	returned := func(before, after string) string {
		return header + "struct s { int x[4]; } s, q; static struct s make(void) { " + before + " return q; } static void *use(void *p) { pthread_mutex_lock(&m); s = make(); " + after +
			" pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_create(&a, 0, use, 0); pthread_create(&b, 0, use, 0); return 0; }"
	}
	// again initialises a variable that another thread knows already with such a struct, as a jump comes back.
	again := func(before, after string) string {
		return header + "struct s { int x[4]; } q, *shared; static struct s make(void) { " + before + " return q; } static void *use(void *p) { pthread_mutex_lock(&m); if (shared) shared->x[0]++; pthread_mutex_unlock(&m); return 0; } " +
			"int main(void) { int k = 0; pthread_create(&a, 0, use, 0); back: pthread_mutex_lock(&m); struct s x = make(); " + after + " shared = &x; pthread_mutex_unlock(&m); if (k++ < 2) goto back; pthread_join(a, 0); return 0; }"
	}
	// linked has a function of the library put an object into a list.
	linked := func(after string) string {
		return header + "void insque(void *, void *); struct qe { struct qe *n, *p; int x; }; static struct qe hd; static void *use(void *p) { pthread_mutex_lock(&m); if (hd.n) hd.n->x = 5; pthread_mutex_unlock(&m); return 0; } " +
			"int main(void) { pthread_create(&a, 0, use, 0); struct qe *r = malloc(sizeof *r); pthread_mutex_lock(&m); insque(r, &hd); pthread_mutex_unlock(&m); " + after + " return 0; }"
	}
	// begins is a thread that begins with a function outside, which may access what it is given; nothing else is known of it.
	begins := func(given string) string {
		return header + `void *dlsym(void *, const char *); static int x, y; int main(void) { pthread_create(&a, 0, (void *(*)(void *))dlsym(0, "f"), ` + given + "); x = 1; return 0; }"
	}
	const branches = "sem_wait(&x->s); if (x->n > 3) x->n--; sem_post(&x->s);"
	for _, c := range []struct{ name, good, bad string }{
		{"object that a function of the library links", linked("pthread_mutex_lock(&m); r->x = 9; pthread_mutex_unlock(&m);"), linked("r->x = 9;")},
		{"struct that a function returns", returned("", ""), returned("pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m);")},
		{"thread that begins outside", begins("&y"), begins("&x")},
		{"struct that initialises a variable again", again("", ""), again("pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m);")},
		{"semaphore in an object", member(branches, "1"), member(branches, "2")},
		{"semaphore that a function takes", member("take(x); if (x->n > 3) x->n--; sem_post(&x->s);", "1"), member("take(x); if (x->n > 3) { x->n--; sem_post(&x->s); } sem_post(&x->s);", "1")},
		{"semaphore held in all branches", member("sem_wait(&x->s); if (x->n > 3) { sem_post(&x->s); return 0; } x->n++; sem_post(&x->s);", "1"),
			member("sem_wait(&x->s); if (x->n > 3) sem_post(&x->s); else sem_post(&x->s); x->n++;", "1")},
		{"semaphore over a loop", member("sem_wait(&x->s); for (int i = 0; i < 3; i++) x->n++; sem_post(&x->s);", "1"), member("sem_wait(&x->s); for (int i = 0; i < 3; i++) { x->n++; sem_post(&x->s); }", "1")},
		{"semaphore of 1", header + two("sem_init(&s, 0, 1);", ""), header + two("sem_init(&s, 0, 2);", "")},
		{"semaphore given back by who holds it", header + two("sem_init(&s, 0, 1);", "sem_wait(&s); g = 1; sem_post(&s);"), header + two("sem_init(&s, 0, 1);", "sem_post(&s);")},
		{"semaphore given back once", header + two("sem_init(&s, 0, 1);", "sem_wait(&s); sem_post(&s);"), header + two("sem_init(&s, 0, 1);", "sem_wait(&s); sem_post(&s); if (argc) sem_post(&s);")},
		{"semaphore that is known", header + two("sem_init(&s, 0, 1);", ""), header + two("sem_init(&s, 0, argc);", "")},
		{"barrier", barrierHeader + rounds("pthread_barrier_init(&bar, 0, 5);", "4", "WAIT int k = g; WAIT", "g = 1; WAIT WAIT g = 2;"), barrierHeader + rounds("pthread_barrier_init(&bar, 0, 4);", "4", "WAIT int k = g; WAIT", "g = 1; WAIT WAIT g = 2;")},
		{"n threads", barrierHeader + rounds("pthread_barrier_init(&bar, 0, n + 1);", "n", "WAIT int k = g;", "g = 1; WAIT"), barrierHeader + rounds("pthread_barrier_init(&bar, 0, n);", "n", "WAIT int k = g;", "g = 1; WAIT")},
		{"joined", privateHeader + creating("", upTo4, "pthread_create(&ids[i], 0, number, (void *)(long)i);", upTo4+" { pthread_join(ids[i], 0); total += d[i]; }"),
			privateHeader + creating("", upTo4, "pthread_create(&ids[i], 0, number, (void *)(long)i);", upTo4+" { pthread_join(ids[i], 0); total += d[i + 1]; }")},
		{"of the thread", deadBranchesHeader + many("", "own = 1; if (own == 1) LOCK g++; if (own == 1) UNLOCK"), deadBranchesHeader + many("", "shared = 1; if (shared == 1) LOCK g++; if (shared == 1) UNLOCK")},
	} {
		for which, src := range []string{c.good, c.bad} {
			p := load(t, text(t, src)).Program
			pts, err := pointsto.AnalyseOpen(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			r, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true, Whole: true})
			if err != nil {
				t.Fatal(err)
			}
			rep, err := scancheck.Check(t.Context(), p, pts, r.Certificate)
			if err != nil {
				t.Fatal(err)
			}
			if free := rep.RaceFree(); (free == nil) != (which == 0) {
				t.Errorf("%s, program %d: %v", c.name, which, free)
			}
		}
	}
}
