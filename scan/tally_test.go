package scan_test

import (
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/pointsto"
)

const tallyHeader = `#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#define W 4
struct pool { pthread_mutex_t mu; int done, n, started; pthread_t ids[W]; };
static struct pool pool;
static pthread_t ids[W], more[W];
static void *worker(void *a) { struct pool *p = a; pthread_mutex_lock(&p->mu); p->done++; pthread_mutex_unlock(&p->mu); return 0; }
static void *other(void *a) { struct pool *p = a; pthread_mutex_lock(&p->mu); p->done += 2; pthread_mutex_unlock(&p->mu); return 0; }
`

// tallied is a program in which all threads have ended where the last of them is joined, and what to put in a place of it so that one may not have. Both were compared with
// what ThreadSanitizer says of runs.
type tallied struct{ name, src, old, bad string }

// TestTallies has threads that are created and joined by loops, counters and functions of all kinds. What is certified of the right program is not of the wrong one.
func TestTallies(t *testing.T) {
	for _, c := range []tallied{
		{"in two functions", `static void start(void) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); }
static void stop(void) { for (int i = 0; i < W; i++) pthread_join(ids[i], 0); }
int main(void) { start(); stop(); return pool.done; }`,
			`stop(void) { for (int i = 0; i < W`, `stop(void) { for (int i = 0; i < W - 1`},
		{"accessed before", `static void start(void) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); }
static void stop(void) { for (int i = 0; i < W; i++) pthread_join(ids[i], 0); }
int main(void) { start(); stop(); return pool.done; }`,
			`stop(); return pool.done`, `int x = pool.done; stop(); return x`},
		{"the lock is destroyed", `static void stop(struct pool *p) { for (int i = 0; i < W; i++) pthread_join(p->ids[i], 0); pthread_mutex_destroy(&p->mu); }
int main(void) { struct pool *p = &pool; for (int i = 0; i < W; i++) pthread_create(&p->ids[i], 0, worker, p); stop(p); return 0; }`,
			`for (int i = 0; i < W; i++) pthread_join(p->ids[i], 0); pthread_mutex_destroy(&p->mu`, `pthread_mutex_destroy(&p->mu); for (int i = 0; i < W; i++) pthread_join(p->ids[i], 0`},
		{"as many as were started", `int main(void) { int started = 0; for (int i = 0; i < W; i++) { if (pthread_create(&ids[i], 0, worker, &pool) != 0) break; started++; } for (int i = 0; i < started; i++) pthread_join(ids[i], 0); return pool.done; }`,
			`< started`, `< started - 1`},
		{"as many as were started, downwards", `int main(int c, char **v) { int n = atoi(v[1]), started = 0; if (n > W) n = W; for (int i = 0; i < n; i++) if (pthread_create(&ids[started], 0, worker, &pool) == 0) started++; while (started > 0) pthread_join(ids[--started], 0); return pool.done; }`,
			`> 0`, `> 1`},
		{"started is a member", `static int start(struct pool *p, int n) { p->started = 0; for (int i = 0; i < n; i++) { if (pthread_create(&p->ids[i], 0, worker, p)) return -1; p->started++; } return 0; }
static void stop(struct pool *p) { for (int i = 0; i < p->started; i++) pthread_join(p->ids[i], 0); pthread_mutex_destroy(&p->mu); }
int main(void) { pthread_mutex_init(&pool.mu, 0); if (start(&pool, W)) return 1; stop(&pool); return pool.done; }`,
			`{ for (int i = 0; i <`, `{ for (int i = 0; i + 1 <`},
		{"n is a member", `static int start(struct pool *p, int n) { p->n = n; for (int i = 0; i < p->n; i++) pthread_create(&p->ids[i], 0, worker, p); return 0; }
static void stop(struct pool *p) { for (int i = 0; i < p->n; i++) pthread_join(p->ids[i], 0); }
int main(void) { pthread_mutex_init(&pool.mu, 0); start(&pool, W); stop(&pool); return pool.done; }`,
			`W); stop(&pool`, `W); pool.n--; stop(&pool`},
		{"n is given", `static void start(struct pool *p, int n) { for (int i = 0; i < n; i++) pthread_create(&p->ids[i], 0, worker, p); }
static void stop(struct pool *p, int n) { for (int i = 0; i < n; i++) pthread_join(p->ids[i], 0); }
int main(int c, char **v) { int n = c > 3 ? 3 : c; start(&pool, n); stop(&pool, n); return pool.done; }`,
			`stop(&pool, n`, `stop(&pool, n-1`},
		{"a constant is given", `static void start(struct pool *p, int n) { for (int i = 0; i < n; i++) pthread_create(&p->ids[i], 0, worker, p); }
static void stop(struct pool *p, int n) { for (int i = 0; i < n; i++) pthread_join(p->ids[i], 0); }
int main(int c, char **v) { int n = c > 3 ? 3 : c; start(&pool, W); stop(&pool, W); return pool.done; }`,
			`stop(&pool, W`, `stop(&pool, W-1`},
		{"wrappers", `static void spawn(pthread_t *t) { if (pthread_create(t, 0, worker, &pool)) abort(); }
static void reap(pthread_t t) { if (pthread_join(t, 0)) abort(); }
int main(void) { for (int i = 0; i < W; i++) spawn(&ids[i]); for (int i = 0; i < W; i++) reap(ids[i]); return pool.done; }`,
			`&ids[i]); for (int i = 0; i < W`, `&ids[i]); for (int i = 0; i < W - 2`},
		{"wrappers without a loop", `static void spawn(pthread_t *t) { if (pthread_create(t, 0, worker, &pool)) abort(); }
static void reap(pthread_t *t) { pthread_join(*t, 0); }
int main(void) { pthread_t a, b; spawn(&a); spawn(&b); reap(&a); reap(&b); return pool.done; }`,
			`reap(&b);`, ``},
		{"while", `int main(void) { int i = 0; while (i < W) { pthread_create(&ids[i], 0, worker, &pool); i++; } while (i-- > 0) pthread_join(ids[i], 0); return pool.done; }`,
			`i--`, `--i`},
		{"do", `int main(void) { int i = 0; do { pthread_create(&ids[i], 0, worker, &pool); } while (++i < W); i = 0; do pthread_join(ids[i], 0); while (++i < W); return pool.done; }`,
			`0); while (++i < W`, `0); while (++i < W - 1`},
		{"two loops", `static void start(void) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); for (int i = 0; i < 2; i++) pthread_create(&more[i], 0, other, &pool); }
static void stop(void) { for (int i = 0; i < W; i++) pthread_join(ids[i], 0); for (int i = 0; i < 2; i++) pthread_join(more[i], 0); }
int main(void) { start(); stop(); return pool.done; }`,
			`0); for (int i = 0; i < 2`, `0); for (int i = 0; i < 1`},
		{"two calls, one loop", `int main(void) { pthread_create(&ids[0], 0, worker, &pool); pthread_create(&ids[1], 0, other, &pool); for (int i = 0; i < 2; i++) pthread_join(ids[i], 0); return pool.done; }`,
			`2`, `1`},
		{"two loops, one counter", `int main(void) { int n = 0; for (int i = 0; i < 2; i++) pthread_create(&ids[n++], 0, worker, &pool); for (int i = 0; i < 2; i++) pthread_create(&ids[n++], 0, other, &pool); for (int i = 0; i < n; i++) pthread_join(ids[i], 0); return pool.done; }`,
			`< n`, `< n - 1`},
		{"two calls in each turn", `int main(void) { for (int i = 0; i < 2; i++) { pthread_create(&ids[i], 0, worker, &pool); pthread_create(&ids[i + 2], 0, other, &pool); } for (int i = 0; i < W; i++) pthread_join(ids[i], 0); return pool.done; }`,
			`i < W`, `i < W - 1`},
		{"two calls in each turn, more of them", `int main(void) { pthread_t t[18]; int i, j; for (i = 0; i < 9; i++) { pthread_create(t + 17 - i, 0, other, &pool); pthread_create(&t[i], 0, worker, &pool); } for (j = 17; j >= 0; j--) pthread_join(t[j], 0); return pool.done; }`,
			`j >= 0`, `j > 0`},
		{"two calls in each turn, until it ends early", `int main(int c, char **v) { pthread_t t[10]; int i, k = 0; for (i = 0; i < 5; i++) { if (c > i) break; pthread_create(&t[k++], 0, worker, &pool); pthread_create(&t[k++], 0, other, &pool); } for (i = 0; i < k; i++) pthread_join(t[i], 0); return pool.done; }`,
			`i < k`, `i + 1 < k`},
		{"two calls in each turn, joined by two", `int main(int c, char **v) { pthread_t t[40]; int n = c; if (n > 20) n = 20; for (int i = 0; i < n; i++) { pthread_create(&t[2 * i], 0, worker, &pool); pthread_create(&t[2 * i + 1], 0, other, &pool); } for (int i = 0; i < n; i++) { pthread_join(t[2 * i], 0); pthread_join(t[2 * i + 1], 0); } return pool.done; }`,
			`{ pthread_join(t[2 * i], 0); `, `{ `},
		{"one in each turn, joined by two", `int main(void) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); for (int j = 0; j < W; j += 2) { pthread_join(ids[j], 0); pthread_join(ids[j + 1], 0); } return pool.done; }`,
			`j < W`, `j < W - 2`},
		{"loop in a loop", `int main(void) { pthread_t t[12]; int i, j; for (i = 0; i < 3; i++) for (j = 0; j < 4; j++) pthread_create(&t[4 * i + j], 0, worker, &pool); for (i = 0; i < 12; i++) pthread_join(t[i], 0); return pool.done; }`,
			`i < 12`, `i < 11`},
		{"on the heap", `static struct pool *make(int n) { struct pool *p = calloc(1, sizeof *p); pthread_mutex_init(&p->mu, 0); p->n = n; for (int i = 0; i < n; i++) pthread_create(&p->ids[i], 0, worker, p); return p; }
static int finish(struct pool *p) { for (int i = 0; i < p->n; i++) pthread_join(p->ids[i], 0); int d = p->done; pthread_mutex_destroy(&p->mu); free(p); return d; }
int main(void) { struct pool *p = make(W); return finish(p); }`,
			`< p->n`, `< p->n - 1`},
		{"n is global", `static int n = 3;
static void start(void) { for (int i = 0; i < n; i++) pthread_create(&ids[i], 0, worker, &pool); }
static void stop(void) { for (int i = 0; i < n; i++) pthread_join(ids[i], 0); }
int main(void) { start(); stop(); return pool.done; }`,
			`start(); stop(`, `start(); n = 2; stop(`},
		{"rounds", `static void start(void) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); }
static void stop(void) { for (int i = 0; i < W; i++) pthread_join(ids[i], 0); }
int main(void) { for (int r = 0; r < 3; r++) { start(); stop(); pool.done += r; } return pool.done; }`,
			`stop(void) { for (int i = 0; i < W`, `stop(void) { for (int i = 0; i < W - 1`},
		{"ids by a pointer", `static void start(pthread_t *t) { for (int i = 0; i < W; i++) pthread_create(t + i, 0, worker, &pool); }
static void stop(pthread_t *t) { for (int i = 0; i < W; i++) pthread_join(*t++, 0); }
int main(void) { pthread_t my[W]; start(my); stop(my); return pool.done; }`,
			`stop(pthread_t *t) { for (int i = 0; i < W`, `stop(pthread_t *t) { for (int i = 0; i < W - 1`},
		{"unsigned", `int main(int c, char **v) { unsigned n = 0; for (unsigned i = 0; i < W; i++) { if (pthread_create(&ids[n], 0, worker, &pool)) { continue; } n++; } for (unsigned i = 0; i != n; i++) pthread_join(ids[i], 0); return pool.done; }`,
			`!=`, `+ 1 <`},
		{"goto", `int main(int c, char **v) { int i; for (i = 0; i < W; i++) if (pthread_create(&ids[i], 0, worker, &pool)) goto out; pool.n = 1;
out: while (--i >= 0) pthread_join(ids[i], 0); return pool.done; }`,
			`>= 0`, `>= 1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 5)
			if strings.Count(c.src, c.old) != 1 {
				t.Fatalf("%q is not there once", c.old)
			}
			var right *scan.Result
			for _, bad := range []bool{false, true} {
				src := c.src
				if bad {
					src = strings.Replace(src, c.old, c.bad, 1)
				}
				p := load(t, text(t, tallyHeader+src)).Program
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
				if free := doneIs(t, r, rep, !bad); free == bad {
					t.Errorf("bad is %t, and free %t: %v", bad, free, rep.Refused)
				}
				if !bad {
					right = r
					continue
				}
				if rep, err := scancheck.Check(t.Context(), p, pts, right.Certificate); err == nil && doneIs(t, right, rep, false) {
					t.Error("the certificate of the right program is one of the wrong one")
				}
			}
		})
	}
}

// doneIs reports whether the member done is race-free, and certified.
func doneIs(t *testing.T, r *scan.Result, rep *scancheck.Report, there bool) bool {
	t.Helper()
	for i, l := range r.Locations {
		if strings.HasSuffix(l.Name, ".done") {
			return l.Why != scan.Suspected && rep.Certified(i)
		}
	}
	if there {
		t.Error("there is no such location")
	}
	return false
}

// TestTalliesThatAreNone has programs of which a thread may be running at the end although they look as if all were joined.
func TestTalliesThatAreNone(t *testing.T) {
	long.Only(t)
	var list []ruled
	for _, c := range [][2]string{
		{"helper decrements", `static int n = W; static void less(void) { n--; } int main(void) { for (int i = 0; i < n; i++) pthread_create(&ids[i], 0, worker, &pool); less(); for (int i = 0; i < n; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"count by pointer", `static void less(int *p) { (*p)--; } int main(void) { int n = 0; for (int i = 0; i < W; i++) { pthread_create(&ids[i], 0, worker, &pool); n++; } less(&n); for (int i = 0; i < n; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"memset count", `int main(void) { for (int i = 0; i < W; i++) { pthread_create(&ids[i], 0, worker, &pool); pool.started++; } memset(&pool.n, 0, 8); for (int i = 0; i < pool.started; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"count written by worker", `static void *bad(void *a) { pthread_mutex_lock(&pool.mu); pool.done++; pool.n = 0; pthread_mutex_unlock(&pool.mu); return 0; } int main(void) { pool.n = W; for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, bad, &pool); for (int i = 0; i < pool.n; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"unsigned wrap", `int main(void) { unsigned char n = 253; for (int i = 0; i < W; i++) { pthread_create(&ids[i], 0, worker, &pool); n++; } for (int i = 253; i < n; i++) pthread_join(ids[i - 253], 0); return pool.done; }`},
		{"two calls, a counter that wraps", `int main(void) { pthread_t t[260]; unsigned char k = 0; for (int i = 0; i < 130; i++) { pthread_create(&t[2 * i], 0, worker, &pool); pthread_create(&t[2 * i + 1], 0, worker, &pool); k += 2; } for (int j = 0; j < k; j++) pthread_join(t[j], 0); return pool.done; }`},
		{"two calls, a signed counter that wraps", `int main(int c, char **v) { pthread_t t[200]; signed char k = 0; int n = c > 100 ? 100 : c; for (int i = 0; i < n; i++) { pthread_create(&t[2 * i], 0, worker, &pool); pthread_create(&t[2 * i + 1], 0, worker, &pool); k += 2; } for (int j = 0; j < k; j++) pthread_join(t[j], 0); return pool.done; }`},
		{"conditional join", `int main(int c, char **v) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); for (int i = 0; i < W; i++) if (i != c) pthread_join(ids[i], 0); return pool.done; }`},
		{"break out", `int main(int c, char **v) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); for (int i = 0; i < W; i++) { if (i == c) break; pthread_join(ids[i], 0); } return pool.done; }`},
		{"two creates one count", `int main(void) { int n = 0; for (int i = 0; i < W; i++) { pthread_create(&ids[i], 0, worker, &pool); pthread_create(&more[i], 0, worker, &pool); n++; } for (int i = 0; i < n; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"nested rounds", `static void start(void) { for (int i = 0; i < 2; i++) pthread_create(&ids[pool.n++], 0, worker, &pool); } static void stop(void) { for (int i = 0; i < 2; i++) pthread_join(ids[i], 0); } int main(void) { start(); start(); stop(); return pool.done; }`},
		{"recursive", `static void start(int n) { if (n == 0) return; pthread_create(&ids[n - 1], 0, worker, &pool); start(n - 1); } int main(void) { start(3); for (int i = 0; i < 2; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"early return", `static int stop(int c) { for (int i = 0; i < W; i++) { if (c > 2) return 1; pthread_join(ids[i], 0); } return 0; } int main(int c, char **v) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); stop(c); return pool.done; }`},
		{"function pointer", `static void good(void) { for (int i = 0; i < W; i++) pthread_join(ids[i], 0); } static void none(void) { } int main(int c, char **v) { void (*f)(void) = c > 2 ? none : good; for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); f(); return pool.done; }`},
		{"min", `int main(int c, char **v) { int n = c; if (n > W) n = W; for (int i = 0; i < n; i++) pthread_create(&ids[i], 0, worker, &pool); if (n > 2) n = 2; for (int i = 0; i < n; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"step two", `int main(int c, char **v) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); for (int i = 0; i < W; i += 2) pthread_join(ids[i], 0); return pool.done; }`},
		{"other thread creates", `static void *spawner(void *p) { pthread_create(&ids[2], 0, worker, &pool); return 0; } int main(int c, char **v) { pthread_t s; for (int i = 0; i < 2; i++) pthread_create(&ids[i], 0, worker, &pool); pthread_create(&s, 0, spawner, 0); pthread_join(s, 0); for (int i = 0; i < 2; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"same site two threads", `static void spawn(pthread_t *t) { pthread_create(t, 0, worker, &pool); } static void *spawner(void *p) { spawn(&ids[2]); return 0; } int main(int c, char **v) { pthread_t s; for (int i = 0; i < 2; i++) spawn(&ids[i]); pthread_create(&s, 0, spawner, 0); pthread_join(s, 0); for (int i = 0; i < 2; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"detached grandchild", `static void *nested(void *p) { pthread_t t; pthread_create(&t, 0, worker, p); pthread_detach(t); return 0; } int main(int c, char **v) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, nested, &pool); for (int i = 0; i < W; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"tryjoin", `int pthread_tryjoin_np(pthread_t, void **); int main(int c, char **v) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); for (int i = 0; i < W; i++) pthread_tryjoin_np(ids[i], 0); return pool.done; }`},
		{"union", `union u { int n; unsigned char b[4]; } u; int main(int c, char **v) { for (int i = 0; i < W; i++) { pthread_create(&ids[i], 0, worker, &pool); u.n++; } u.b[0] = 1; for (int i = 0; i < u.n; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"goto skip", `int main(int c, char **v) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); if (c > 2) goto out; for (int i = 0; i < W; i++) pthread_join(ids[i], 0);
out: return pool.done; }`},
		{"recreated in join loop", `int main(int c, char **v) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); for (int i = 0; i < W; i++) { pthread_join(ids[i], 0); if (i == 0) pthread_create(&ids[0], 0, worker, &pool); } return pool.done; }`},
		{"struct count copy", `struct cnt { int n; }; int main(int c, char **v) { struct cnt a = { 0 }, b = { 2 }; for (int i = 0; i < W; i++) { pthread_create(&ids[i], 0, worker, &pool); a.n++; } a = b; for (int i = 0; i < a.n; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"local in loop", `int main(int c, char **v) { for (int i = 0; i < W; i++) { int n = 0; pthread_create(&ids[i], 0, worker, &pool); n++; pool.n = n; } for (int i = 0; i < pool.n; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"heap counts", `struct c { int n; }; static struct c *mk(void) { return calloc(1, sizeof(struct c)); } int main(int c, char **v) { struct c *x = mk(), *y = mk(); for (int i = 0; i < W; i++) { pthread_create(&ids[i], 0, worker, &pool); x->n++; } y->n = 2; for (int i = 0; i < y->n; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"signal changes", `static void h(int s) { pool.n = 1; } int main(int c, char **v) { signal(SIGUSR1, h); for (int i = 0; i < W; i++) { pthread_create(&ids[i], 0, worker, &pool); pool.n++; } raise(SIGUSR1); for (int i = 0; i < pool.n; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"longjmp", `static jmp_buf jb; int main(int c, char **v) { volatile int n = 0; for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); if (setjmp(jb)) return pool.done; for (int i = 0; i < W; i++) { if (n++ == 1) longjmp(jb, 1); pthread_join(ids[i], 0); } return 0; }`},
		{"two pools", `struct two { pthread_t t[2]; int n; }; static void go(struct two *w) { for (int i = 0; i < 2; i++) { pthread_create(&w->t[i], 0, worker, &pool); w->n++; } } static void end(struct two *w) { for (int i = 0; i < w->n; i++) pthread_join(w->t[i], 0); } int main(int c, char **v) { struct two a = { { 0 } }, b = { { 0 } }; go(&a); go(&b); end(&a); return pool.done; }`},
		{"signed char limit", `int main(int c, char **v) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); for (signed char i = (signed char)(257 * W - 256 * W - 2); i < W; i++) pthread_join(ids[i], 0); return pool.done; }`},
		{"switch", `static void end(int k) { switch (k) { case 0: for (int i = 0; i < W; i++) pthread_join(ids[i], 0); break; default: ; } } int main(int c, char **v) { for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); end(c > 2); return pool.done; }`},
		{"atexit", `static void bye(void) { for (int i = 0; i < W; i++) pthread_join(ids[i], 0); } int main(int c, char **v) { atexit(bye); for (int i = 0; i < W; i++) pthread_create(&ids[i], 0, worker, &pool); return pool.done; }`},
		{"wrapper same id", `static void reap(pthread_t *t) { pthread_join(*t, 0); } int main(int c, char **v) { for (int i = 0; i < 2; i++) pthread_create(&ids[i], 0, worker, &pool); for (int i = 0; i < 2; i++) if (c > i + 1) reap(&ids[0]); return pool.done; }`},
	} {
		list = append(list, ruled{c[0], c[1], scan.Suspected})
	}
	checkRules(t, tallyHeader, "pool.done", list)
}
