package randprog

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Synchronised returns the text of a small program whose threads synchronise in many ways, and sometimes do not: with
// data races in about half of the programs, and with threads that wait for ever in some. It has no assertions, and no
// undefined behaviour but races. There are no mutexes that are unlocked by others, and every wait is one of POSIX.
func Synchronised(seed uint64) string {
	g := &syncing{r: rand.New(rand.NewPCG(seed, 7))}
	g.weak = g.r.IntN(3) == 0
	g.waits = g.r.IntN(3) > 0
	f, h := g.body(2+g.r.IntN(3), nil), g.body(1+g.r.IntN(3), nil)
	var main []string
	main = append(main, g.body(g.r.IntN(2), nil)...)
	main = append(main, "pthread_create(&t[0], 0, f, 0);")
	main = append(main, g.body(g.r.IntN(2), nil)...)
	two := g.r.IntN(3) > 0
	if two {
		main = append(main, "pthread_create(&t[1], 0, h, 0);")
	}
	main = append(main, g.body(g.r.IntN(3), nil)...)
	if g.r.IntN(4) > 0 {
		main = append(main, "pthread_join(t[0], 0);")
	}
	main = append(main, g.body(g.r.IntN(2), nil)...)
	if two && g.r.IntN(4) > 0 {
		main = append(main, "pthread_join(t[1], 0);")
	}
	main = append(main, g.body(g.r.IntN(2), nil)...)
	last := "return 0;"
	if g.r.IntN(5) == 0 {
		last = "pthread_exit(0);"
	}
	var b strings.Builder
	b.WriteString(syncHeader)
	for _, fn := range []struct {
		name string
		body []string
	}{{"f", f}, {"h", h}} {
		fmt.Fprintf(&b, "void *%s(void *arg) {\n  int r = 0;\n  (void)arg, (void)r;\n%s  return 0;\n}\n", fn.name, lines(fn.body))
	}
	fmt.Fprintf(&b, "int main(void) {\n  pthread_t t[2];\n  int r = 0;\n  (void)r;\n  sem_init(&s, 0, %d);\n%s  %s\n}\n", g.r.IntN(2), lines(main), last)
	return b.String()
}

const syncHeader = `#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
int x, y, ready;
struct { char c, d; int e : 3, f : 4; } p;
int cells[2], *to = &cells[0];
volatile int v;
_Atomic int a, flag;
int counter;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
sem_t s;
static _Thread_local int own;
`

func lines(body []string) string {
	var b strings.Builder
	for _, s := range body {
		b.WriteString("  " + strings.ReplaceAll(s, "\n", "\n  ") + "\n")
	}
	return b.String()
}

// syncing makes statements.
type syncing struct {
	r     *rand.Rand
	weak  bool // with memory orders
	waits bool // with waits other than for locks
}

// body returns some statements; held are the locks that are held around them.
func (g *syncing) body(k int, held []string) []string {
	var out []string
	for range k {
		out = append(out, g.statement(held))
	}
	return out
}

func (g *syncing) pick(from ...string) string { return from[g.r.IntN(len(from))] }

func (g *syncing) holds(held []string, lock string) bool {
	for _, h := range held {
		if h == lock {
			return true
		}
	}
	return false
}

// statement returns a statement.
func (g *syncing) statement(held []string) string {
	switch k := g.r.IntN(12); {
	case k < 4 || len(held) > 1:
		return g.access()
	case k < 8:
		return g.section(held)
	case k == 8 && g.waits && len(held) == 0:
		return g.wait()
	case k == 9 && g.waits:
		return g.pick("sem_post(&s);", "sem_post(&s);", "sem_wait(&s);", "if (!sem_trywait(&s)) "+g.access())
	}
	return g.atomic(held)
}

// access returns one that is not atomic, of something that is shared more often than not.
func (g *syncing) access() string {
	return g.pick("x = 1;", "r = x;", "x++;", "y = 2;", "r = y;", "y = x;", "p.c = 1;", "p.d = 2;", "r = p.d;", "p.e = 1;", "p.f = 2;",
		"cells[0] = 1;", "cells[1] = 1;", "*to = 2;", "r = *to;", "v = 1;", "r = v;", "own = 1;", "counter = 0;", "r = counter;",
		"memcpy(&x, &y, sizeof x);", "memset(&p, 0, 2);", "if (x) y = 1;")
}

// section returns statements under a lock.
func (g *syncing) section(held []string) string {
	lock := g.pick("m", "m", "n")
	switch k := g.r.IntN(10); {
	case g.holds(held, lock):
		return g.access()
	case k == 0 && !g.holds(held, "l"):
		return "pthread_rwlock_rdlock(&l);\n" + lines(g.body(1, append(held, "l"))) + "pthread_rwlock_unlock(&l);"
	case k == 1 && !g.holds(held, "l"):
		return "pthread_rwlock_wrlock(&l);\n" + lines(g.body(1, append(held, "l"))) + "pthread_rwlock_unlock(&l);"
	case k == 2:
		return fmt.Sprintf("if (!pthread_mutex_trylock(&%s)) {\n%s  pthread_mutex_unlock(&%s);\n}", lock, lines(g.body(1, append(held, lock))), lock)
	case k == 3 && g.waits:
		return fmt.Sprintf("pthread_mutex_lock(&%s);\n%sif (%s) pthread_mutex_unlock(&%s);", lock, lines(g.body(1, append(held, lock))), g.pick("1", "r == 0"), lock)
	}
	return fmt.Sprintf("pthread_mutex_lock(&%s);\n%spthread_mutex_unlock(&%s);", lock, lines(g.body(1+g.r.IntN(2), append(held, lock))), lock)
}

// wait returns a wait on the condition variable, or what ends one.
func (g *syncing) wait() string {
	switch g.r.IntN(4) {
	case 0:
		return "pthread_mutex_lock(&m);\nwhile (!ready) pthread_cond_wait(&c, &m);\n" + lines([]string{g.access()}) + "pthread_mutex_unlock(&m);"
	case 1:
		return "pthread_mutex_lock(&m);\nready = 1;\n" + g.pick("pthread_cond_signal(&c);", "pthread_cond_broadcast(&c);", "") + "\npthread_mutex_unlock(&m);"
	case 2:
		return g.access() + "\npthread_mutex_lock(&m);\nready = 1;\npthread_cond_broadcast(&c);\npthread_mutex_unlock(&m);"
	}
	return "pthread_mutex_lock(&m);\nif (!ready) pthread_cond_wait(&c, &m);\npthread_mutex_unlock(&m);"
}

// atomic returns an atomic access, or a statement that one guards.
func (g *syncing) atomic(held []string) string {
	if !g.weak {
		return g.pick("a++;", "a = 1;", "flag = 1;", "if (flag) "+g.access(), "if (atomic_exchange(&flag, 1)) "+g.access(), g.access()+"\nflag = 1;",
			"__sync_fetch_and_add(&counter, 1);", "if (__atomic_load_n(&counter, __ATOMIC_SEQ_CST)) "+g.access(),
			"if (a == 1) "+g.access(), "{ int e = 0; if (atomic_compare_exchange_strong(&a, &e, 2)) "+g.access()+" }")
	}
	load := func() string {
		return g.pick("memory_order_relaxed", "memory_order_acquire", "memory_order_seq_cst")
	}
	store := func() string {
		return g.pick("memory_order_relaxed", "memory_order_release", "memory_order_seq_cst")
	}
	both := func() string {
		return g.pick("memory_order_relaxed", "memory_order_acquire", "memory_order_release", "memory_order_acq_rel", "memory_order_seq_cst")
	}
	switch g.r.IntN(9) {
	case 0, 1:
		return fmt.Sprintf("%s\natomic_store_explicit(&flag, 1, %s);", g.access(), store())
	case 2, 3:
		return fmt.Sprintf("if (atomic_load_explicit(&flag, %s)) %s", load(), g.access())
	case 4:
		return fmt.Sprintf("%s\natomic_thread_fence(%s);\natomic_store_explicit(&a, 1, %s);", g.access(), both(), store())
	case 5:
		return fmt.Sprintf("if (atomic_load_explicit(&a, %s)) {\n  atomic_thread_fence(%s);\n  %s\n}", load(), both(), g.access())
	case 6:
		return fmt.Sprintf("if (atomic_fetch_add_explicit(&flag, 1, %s)) %s", both(), g.access())
	case 7:
		return fmt.Sprintf("{ int e = 1; if (atomic_compare_exchange_strong_explicit(&flag, &e, 2, %s, %s)) %s }", both(), g.pick("memory_order_relaxed", "memory_order_acquire"), g.access())
	}
	return fmt.Sprintf("atomic_store_explicit(&flag, 0, %s);", store())
}
