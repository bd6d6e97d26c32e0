package randrace

import (
	"fmt"
	"math/rand/v2"
)

// Sync returns a program of a seed that synchronises by what is used less often: locks that are tried, with the result kept and asked for later, read-write locks, recursive
// mutexes, spin locks, semaphores as locks and as signals, conditions, C11's mutexes, wrappers of wrappers with the lock as a parameter, locks in
// structs and arrays; and threads whose ids are kept in arrays and structs, joined in another order, by helpers or by other threads.
func Sync(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 17))}
	g.text(syncHead)
	for i := range 2 {
		g.line("static int help%d(struct box *b, int k) {", i)
		g.indent = 1
		g.line("int r = 1;")
		for range 1 + g.r.IntN(3) {
			g.sync(1)
		}
		g.line("return %s;", g.one("r", "0", "k", "r == 0", "g_lock(&b->m)", "pthread_mutex_trylock(&m0)"))
		g.indent = 0
		g.line("}")
		g.helpers++
	}
	threads := 2 + g.r.IntN(2)
	for i := range threads {
		g.line("static void *thread%d(void *arg) {", i)
		g.indent = 1
		g.line("struct box *b = arg ? arg : &boxes[0];")
		g.line("int r = 1, k = 0;")
		for range 2 + g.r.IntN(4) {
			g.sync(0)
		}
		g.line("return 0;")
		g.indent = 0
		g.line("}")
	}
	g.line("int main(void) {")
	g.indent = 1
	g.line("pthread_t t[8], u, v;")
	g.line("struct { pthread_t a, b; } ids;")
	g.line("struct box *b = &boxes[0];")
	g.line("int n = 0, r = 1, k = 0;")
	g.text(syncSetup)
	g.line("sem_init(&sem0, 0, %s);", g.one("1", "1", "0", "2", "n"))
	g.line("sem_init(&sem1, 0, %s);", g.one("0", "0", "1"))
	var joins []string
	for i := range threads {
		arg := g.one("0", "0", "&boxes[1]", "b", "pb", "make()")
		switch g.r.IntN(7) {
		case 0:
			g.line("for (int i = 0; i < 2; i++)")
			g.line("  pthread_create(&t[n++], 0, thread%d, %s);", i, arg)
		case 1:
			g.line("pthread_create(&ids.%s, 0, thread%d, %s);", g.one("a", "b"), i, arg)
			joins = append(joins, fmt.Sprintf("pthread_join(ids.%s, 0);", g.one("a", "b")))
		case 2:
			g.line("u = start(thread%d, %s);", i, arg)
			joins = append(joins, "wait_for(u);")
		case 3:
			g.line("pthread_create(&t0, 0, thread%d, %s);", i, arg)
			joins = append(joins, "pthread_join(t0, 0);")
		default:
			g.line("pthread_t w%d = start(thread%d, %s);", i, i, arg)
			joins = append(joins, fmt.Sprintf("pthread_join(w%d, 0);", i))
		}
		if g.chance(30) {
			g.sync(0)
		}
	}
	g.r.Shuffle(len(joins), func(i, j int) { joins[i], joins[j] = joins[j], joins[i] })
	for _, j := range joins {
		if g.chance(70) {
			g.line("%s", j)
		}
		if g.chance(50) {
			g.sync(1)
		}
	}
	g.line("return 0;")
	g.indent = 0
	g.line("}")
	return g.out.String()
}

const syncHead = `#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
struct box { pthread_mutex_t m; int v; int w; pthread_rwlock_t rw; struct box *peer; };
int x, y, z, data[4];
struct box boxes[2], *pb = &boxes[0];
pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER, ms[2], rec;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
sem_t sem0, sem1;
mtx_t mtx;
pthread_t t0;
atomic_flag af = ATOMIC_FLAG_INIT;
atomic_int ai, seen;
int ready;
int __VERIFIER_nondet_int(void);
static int g_lock(pthread_mutex_t *m) { return pthread_mutex_lock(m); }
static int lock2(pthread_mutex_t *m) { return g_lock(m); }
static void unlock2(pthread_mutex_t *m) { pthread_mutex_unlock(m); }
static int try2(pthread_mutex_t *m) { return pthread_mutex_trylock(m) == 0; }
static int try3(struct box *b) { return try2(&b->m) ? 0 : -1; }
static pthread_t start(void *(*f)(void *), void *arg) {
  pthread_t t;
  pthread_create(&t, 0, f, arg);
  return t;
}
static void wait_for(pthread_t t) { pthread_join(t, 0); }
static struct box *make(void) {
  struct box *b = malloc(sizeof *b);
  memset(b, 0, sizeof *b);
  pthread_mutex_init(&b->m, 0);
  pthread_rwlock_init(&b->rw, 0);
  b->peer = b;
  return b;
}
`

const syncSetup = `  pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&rec, &at);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&ms[i], 0);
    pthread_mutex_init(&boxes[i].m, 0);
    pthread_rwlock_init(&boxes[i].rw, 0);
    boxes[i].peer = &boxes[1 - i];
  }
  pthread_spin_init(&spin, 0);
  mtx_init(&mtx, mtx_plain);
`

// access writes an access of data.
func (g *generator) touch() {
	place := g.one("x", "y", "z", "data[0]", "data[k & 3]", "b->v", "b->w", "b->peer->v", "boxes[0].v", "boxes[k & 1].w", "pb->v", "x", "y")
	g.line("%s", g.one(place+"++;", "k = "+place+";", place+" = 1;"))
}

// some writes a few statements, indented.
func (g *generator) some(depth int) {
	g.indent++
	for range 1 + g.r.IntN(2) {
		g.sync(depth + 1)
	}
	g.indent--
}

// mutex returns the address of a mutex.
func (g *generator) mutex() string {
	return g.one("&m0", "&m0", "&m1", "&rec", "&ms[0]", "&ms[k & 1]", "&b->m", "&pb->m", "&boxes[1].m", "&b->peer->m")
}

// sync writes a statement.
func (g *generator) sync(depth int) {
	k := g.r.IntN(26)
	if depth > 1 {
		k = 100
	}
	section := func(take, give string) {
		g.line("%s", take)
		g.some(depth)
		if g.chance(97) {
			g.line("%s", give)
		}
	}
	m := g.mutex()
	switch k {
	case 0, 1, 2:
		section("pthread_mutex_lock("+m+");", "pthread_mutex_unlock("+m+");")
	case 3:
		section("lock2("+m+");", "unlock2("+m+");")
	case 4:
		g.line("r = pthread_mutex_trylock(%s);", m)
		if g.chance(50) {
			g.touch()
		}
		g.line("if (%s) {", g.one("r == 0", "!r", "r", "r != 0", "r < 1"))
		g.some(depth)
		g.line("  pthread_mutex_unlock(%s);", m)
		g.line("}")
	case 5:
		g.line("k = %s(%s);", g.one("try2", "lock2", "g_lock"), m)
		g.line("if (%s) {", g.one("k", "!k", "k == 1"))
		g.some(depth)
		g.line("  unlock2(%s);", m)
		g.line("}")
	case 6:
		g.line("if (try3(%s) %s 0) {", g.one("b", "pb", "&boxes[1]"), g.one("==", ">=", "!="))
		g.some(depth)
		g.line("  unlock2(&%s->m);", g.one("b", "b", "pb"))
		g.line("}")
	case 7, 8:
		l := g.one("rw", "rw", "b->rw")
		section(g.one("pthread_rwlock_rdlock(&"+l+");", "pthread_rwlock_wrlock(&"+l+");"), "pthread_rwlock_unlock(&"+l+");")
	case 9:
		l := g.one("rw", "b->rw")
		g.line("r = pthread_rwlock_try%slock(&%s);", g.one("rd", "wr"), l)
		g.line("if (%s) {", g.one("r == 0", "!r", "r"))
		g.some(depth)
		g.line("  pthread_rwlock_unlock(&%s);", l)
		g.line("}")
	case 10:
		section("pthread_mutex_lock(&rec);\n  pthread_mutex_lock(&rec);\n  pthread_mutex_unlock(&rec);", "pthread_mutex_unlock(&rec);")
	case 11:
		section("pthread_spin_lock(&spin);", "pthread_spin_unlock(&spin);")
	case 12, 13:
		section("sem_wait(&sem0);", "sem_post(&sem0);")
	case 14:
		g.line("%s", g.one("sem_post(&sem1);", "sem_post(&sem1);", "sem_wait(&sem1);", "sem_post(&sem0);", "r = sem_trywait(&sem0);", "r = sem_trywait(&sem1);\n  if (r == 0)\n  x++;"))
	case 15:
		section("mtx_lock(&mtx);", "mtx_unlock(&mtx);")
	case 16:
		g.line("pthread_mutex_lock(&m0);")
		g.touch()
		g.line("%s", g.one("if (k)\n  pthread_cond_wait(&cond, &m0);", "if (!ready)\n  pthread_cond_wait(&cond, &m0);", "ready = 1;\n  pthread_cond_broadcast(&cond);"))
		g.touch()
		g.line("pthread_mutex_unlock(&m0);")
	case 17:
		g.line("%s", g.one("seen = 1;", "if (seen)", "if (seen == 1)"))
		g.touch()
	case 18:
		if g.helpers > 0 {
			g.line("%s help%d(%s, %s);", g.one("r =", "k ="), g.r.IntN(g.helpers), g.one("b", "pb", "&boxes[1]", "b->peer"), g.one("0", "1", "k"))
			if g.chance(50) {
				g.line("if (%s) {", g.one("r", "!r", "k", "!k"))
				g.some(depth)
				g.line("}")
			}
		}
	case 19:
		section("while (atomic_flag_test_and_set(&af));", "atomic_flag_clear(&af);")
	case 20:
		g.line("%s {", g.one("if (__VERIFIER_nondet_int())", "for (int i = 0; i < 2; i++)", "if (r == 0)", "if (k)"))
		g.some(depth)
		g.line("}")
	case 21:
		g.line("%s", g.one("b = b->peer;", "pb = b;", "b = &boxes[k & 1];", "pb = b->peer;", "k = !k;"))
	default:
		g.touch()
	}
}
