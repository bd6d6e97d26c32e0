package randrace

import (
	"fmt"
	"math/rand/v2"
)

// Signals returns a program of a seed whose threads wait for what others have done: by flags, under a lock or atomic, by semaphores and by pthread_once.
// Some of it orders accesses, some of it seems to.
func Signals(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 16))}
	g.text(signalHead)
	g.line("static void init0(void) {")
	g.indent = 1
	g.data()
	if g.chance(10) {
		g.line("atomic = 1;")
	}
	g.indent = 0
	g.line("}")
	g.line("static void init1(void) {\n  z++;\n}")
	for i := range 2 {
		g.line("static void help%d(void) {", i)
		g.indent = 1
		for range 1 + g.r.IntN(2) {
			g.signal(1)
		}
		g.indent = 0
		g.line("}")
		g.helpers++
	}
	threads := 1 + g.r.IntN(3)
	for i := range threads {
		g.line("static void *thread%d(void *arg) {", i)
		g.indent = 1
		for range 2 + g.r.IntN(4) {
			g.signal(0)
		}
		g.line("return 0;")
		g.indent = 0
		g.line("}")
	}
	g.line("int main(void) {")
	g.indent = 1
	g.line("pthread_t t[8];")
	g.line("int n = 0;")
	g.line("sem_init(&s0, 0, %s);", g.one("0", "0", "0", "0", "1", "n"))
	g.line("sem_init(&s1, 0, 0);")
	for i := range threads {
		if g.chance(40) {
			g.signal(0)
		}
		switch g.r.IntN(8) {
		case 0:
			g.line("for (int i = 0; i < 2; i++)")
			g.line("  pthread_create(&t[n++], 0, thread%d, 0);", i)
		case 1:
			for range 2 {
				g.line("pthread_create(&t[n++], 0, thread%d, 0);", i)
				g.line("pthread_join(t[--n], 0);")
			}
		default:
			g.line("pthread_create(&t[n++], 0, thread%d, 0);", i)
		}
	}
	for range 1 + g.r.IntN(3) {
		g.signal(0)
	}
	if g.chance(40) {
		g.line("while (n > 0)")
		g.line("  pthread_join(t[--n], 0);")
		g.signal(0)
	}
	g.line("return 0;")
	g.indent = 0
	g.line("}")
	return g.out.String()
}

const signalHead = `#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
int x, y, z, ready, done;
atomic_int atomic, loose;
struct { int before, flag, after; } box;
int *where = &ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
pthread_once_t once = PTHREAD_ONCE_INIT, other = PTHREAD_ONCE_INIT;
sem_t s0, s1;
static void post(sem_t *s) {
  sem_post(s);
}
static void put(int *f, int v) {
  pthread_mutex_lock(&m);
  *f = v;
  pthread_mutex_unlock(&m);
}
static void announce(void) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_broadcast(&cv);
  pthread_mutex_unlock(&m);
}
static void await(void) {
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_wait(&cv, &m);
  pthread_mutex_unlock(&m);
}
static int is_done(void) {
  pthread_mutex_lock(&m);
  int r = done;
  pthread_mutex_unlock(&m);
  return r;
}
`

// data writes an access of what may be ordered.
func (g *generator) data() {
	g.line("%s;", g.one("x++", "y++", "x = y", "y = x", "x = 1", "z = x", "z++"))
}

// signal writes a statement that sets or waits for something, or accesses data.
func (g *generator) signal(depth int) {
	lock := g.one("m", "m", "m", "m", "n")
	switch k := g.r.IntN(30); {
	case k < 9:
		g.data()
	case k == 9:
		g.line("%s;", g.one("announce()", "announce()", "put(&done, 1)", "put(where, 1)", "put(&ready, 0)"))
	case k == 10:
		g.line("await();")
		g.data()
	case k < 13: // under a lock
		g.line("pthread_mutex_lock(&%s);", lock)
		if g.chance(20) {
			g.data()
		}
		g.line("%s;", g.one("ready = 1", "done = 1", "ready = 1", "done = 2", "box.flag = 1", "box.flag = 1", "ready = 0", "done = x", "box.before = 1", "done++", "memset(&box, 0, sizeof box)"))
		g.line("pthread_mutex_unlock(&%s);", lock)
	case k < 17: // looks under a lock
		r := g.local("r")
		g.line("pthread_mutex_lock(&%s);", lock)
		g.line("int %s = %s;", r, g.one("ready", "done", "ready", "done", "box.flag", "box.flag", "!ready", "done == 1", "box.before"))
		g.line("pthread_mutex_unlock(&%s);", lock)
		g.line("if (%s)", fmt.Sprintf(g.one("%s", "%s", "%s == 1", "%s != 0", "!%s", "%s > 0", "%s == 2", "%s != 1"), r))
		g.line("  %s;", g.one("x++", "y++", "x = y"))
		if g.chance(20) {
			g.line("else")
			g.line("  y++;")
		}
	case k < 19:
		g.line("%s;", g.one("atomic = 1", "atomic_store(&atomic, 1)", "atomic_store_explicit(&loose, 1, memory_order_relaxed)", "atomic_store_explicit(&loose, 1, memory_order_release)",
			"atomic = 0", "atomic++", "loose = 1"))
	case k < 22:
		g.line("if (%s)", g.one("atomic", "atomic_load(&atomic)", "loose", "atomic_load_explicit(&loose, memory_order_relaxed)", "atomic_load_explicit(&loose, memory_order_acquire)", "!atomic", "atomic == 1", "is_done()", "ready"))
		g.line("  %s;", g.one("x++", "y++", "x = y"))
	case k < 24:
		g.line("%s;", g.one("sem_post(&s0)", "sem_post(&s0)", "sem_post(&s1)", "post(&s1)", "sem_init(&s1, 0, 0)"))
	case k < 26:
		g.line("%s;", g.one("sem_wait(&s0)", "sem_wait(&s0)", "sem_wait(&s1)", "sem_trywait(&s0)"))
		g.data()
	case k < 28:
		g.line("%s;", g.one("pthread_once(&once, init0)", "pthread_once(&once, init0)", "pthread_once(&once, init0)", "pthread_once(&once, init1)", "pthread_once(&other, init0)", "pthread_once(&other, init1)", "init0()"))
		g.data()
	case k < 29 && depth == 0:
		g.line("help%d();", g.r.IntN(2))
	case depth < 2:
		g.line("%s {", g.one("for (int i = 0; i < 2; i++)", "if (z)", "if (x == y)"))
		g.indent++
		g.signal(depth + 1)
		g.indent--
		g.line("}")
	default:
		g.data()
	}
}
