package scan_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"comus/internal/long"
)

// writer writes a random program with threads, one statement a line.
type writer struct {
	r     *rand.Rand
	b     strings.Builder
	level int
	// node has the variables that point to nodes.
	node []string
}

const prelude = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdatomic.h>
struct node { pthread_mutex_t m; int x; int y; struct node *next; char name[8]; };
int g0, g1, g2, data[4];
struct node s0, s1, *h0, *h1, *list;
struct { struct node in[2]; int n; } pool;
pthread_mutex_t l0 = PTHREAD_MUTEX_INITIALIZER, l1 = PTHREAD_MUTEX_INITIALIZER, ls[2];
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t *pl;
atomic_int a0;
static _Thread_local int own;
int __VERIFIER_nondet_int(void);
static void enter(pthread_mutex_t *m) { pthread_mutex_lock(m); }
static void leave(pthread_mutex_t *m) { pthread_mutex_unlock(m); }
static int attempt(pthread_mutex_t *m) { return pthread_mutex_trylock(m) == 0; }
static void both(struct node *n) {
  n->x++;
  n->y = n->x;
}
static void locked(struct node *n) {
  enter(&n->m);
  n->x++;
  leave(&n->m);
}
static struct node *make(int x) {
  struct node *n = malloc(sizeof *n);
  pthread_mutex_init(&n->m, 0);
  n->x = x;
  n->y = 0;
  n->next = 0;
  return n;
}
static int by_x(const void *p, const void *q) {
  g2++;
  return *(const int *)p - *(const int *)q;
}
static void with(void (*f)(struct node *), struct node *n) { f(n); }
static pthread_t start(void *(*f)(void *), void *arg) {
  pthread_t t;
  pthread_create(&t, 0, f, arg);
  return t;
}
`

func (w *writer) pick(list ...string) string { return list[w.r.IntN(len(list))] }

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.b, "%s%s\n", strings.Repeat("  ", w.level+1), fmt.Sprintf(format, args...))
}

// someNode returns a pointer to a node.
func (w *writer) someNode() string {
	return w.pick(append([]string{"(&s0)", "(&s1)", "h0", "h1", "(&pool.in[0])", "(&pool.in[i & 1])"}, w.node...)...)
}

// place returns an lvalue.
func (w *writer) place() string {
	switch w.r.IntN(4) {
	case 0:
		return w.pick("g0", "g1", "g2", "pool.n", "own")
	case 1:
		return w.pick("data[0]", "data[1]", "data[i & 3]")
	}
	return w.someNode() + w.pick("->x", "->y")
}

func (w *writer) simple() {
	switch w.r.IntN(9) {
	case 0:
		w.line("i = %s;", w.place())
	case 1:
		w.line("memset(%s->name, 0, %d);", w.someNode(), 1+w.r.IntN(8))
	case 2:
		w.line("%s(%s);", w.pick("both", "locked"), w.someNode())
	case 3:
		w.line("with(%s, %s);", w.pick("both", "locked"), w.someNode())
	case 4:
		w.line("a0++;")
	case 5:
		w.line("strcpy(%s->name, \"ab\");", w.someNode())
	case 6:
		w.line("%s = *%s;", w.pick("s0", "s1"), "h0")
	default:
		w.line("%s++;", w.place())
	}
}

// lock returns how a lock is taken and given back.
func (w *writer) lock() (take, give string) {
	m := w.pick("&l0", "&l1", "pl", "&ls[0]", "&ls[i & 1]", "&"+w.someNode()+"->m")
	switch w.r.IntN(6) {
	case 0:
		return "pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"
	case 1:
		return "pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);"
	case 2:
		return "enter(" + m + ");", "leave(" + m + ");"
	}
	return "pthread_mutex_lock(" + m + ");", "pthread_mutex_unlock(" + m + ");"
}

func (w *writer) statement() {
	k := w.r.IntN(12)
	if w.level > 2 {
		k = 11
	}
	nested := func() {
		w.level++
		for range 1 + w.r.IntN(3) {
			w.statement()
		}
		w.level--
	}
	switch k {
	case 0, 1, 2, 3:
		take, give := w.lock()
		w.line("%s", take)
		nested()
		if w.r.IntN(12) > 0 {
			w.line("%s", give)
		}
	case 4:
		m := w.pick("&l0", "&l1", "&"+w.someNode()+"->m")
		w.line("if (attempt(%s)) {", m)
		nested()
		w.line("leave(%s);", m)
		w.line("}")
	case 5:
		m := w.pick("&l0", "&l1")
		w.line("i = pthread_mutex_trylock(%s);", m)
		w.line("if (i %s 0) {", w.pick("==", "!="))
		nested()
		w.line("pthread_mutex_unlock(%s);", m)
		w.line("}")
	case 6:
		w.line("if (__VERIFIER_nondet_int()) {")
		nested()
		w.line("}")
	case 7:
		w.line("for (int k = 0; k < 2; k++) {")
		nested()
		w.line("}")
	case 8:
		name := fmt.Sprintf("n%d", w.b.Len())
		w.line("struct node *%s = make(1);", name)
		w.node = append(w.node, name)
		nested()
		w.line("if (__VERIFIER_nondet_int()) {")
		w.line("  pthread_mutex_lock(&l0);")
		w.line("  %s->next = list;", name)
		w.line("  list = %s;", name)
		w.line("  pthread_mutex_unlock(&l0);")
		w.line("}")
		nested()
		w.node = w.node[:len(w.node)-1]
	case 9:
		w.line("pthread_mutex_lock(&l0);")
		w.line("if (list) {")
		w.line("  list->x++;")
		w.line("  struct node *old = list;")
		w.line("  list = list->next;")
		w.line("  old->y++;")
		w.line("}")
		w.line("pthread_mutex_unlock(&l0);")
	case 10:
		w.line("qsort(%s, 4, sizeof(int), by_x);", "data")
	default:
		w.simple()
	}
}

// statements writes some statements.
func (w *writer) statements(n int) {
	for range n {
		w.statement()
	}
}

// randomProgram returns a random program.
func randomProgram(seed uint64) string {
	w := &writer{r: rand.New(rand.NewPCG(seed, 14))}
	w.b.WriteString(prelude)
	w.b.WriteString("static void *inner(void *arg) {\n  int i = 0;\n")
	w.statements(1)
	w.b.WriteString("  return 0;\n}\n")
	for k := range 3 {
		fmt.Fprintf(&w.b, "static void *t%d(void *arg) {\n  int i = 0;\n  struct node *me = arg;\n", k)
		w.node = []string{"me"}
		w.statements(2 + w.r.IntN(2))
		if w.r.IntN(4) == 0 {
			w.line("pthread_t c = start(inner, 0);")
			w.statements(1)
			if w.r.IntN(2) == 0 {
				w.line("pthread_join(c, 0);")
				w.statements(1)
			}
		}
		w.node = nil
		w.b.WriteString("  return 0;\n}\n")
	}
	w.b.WriteString("int main(void) {\n  int i = 0;\n  pthread_t t[4];\n  pl = &l1;\n  h0 = make(1);\n  h1 = make(2);\n  pthread_mutex_init(&ls[0], 0);\n  pthread_mutex_init(&ls[1], 0);\n")
	w.statements(2)
	joins := []string{}
	for k := range 3 {
		arg := w.someNode()
		switch w.r.IntN(5) {
		case 0:
			w.line("t[%d] = start(t%d, %s);", k, k, arg)
		case 1:
			w.line("for (int k = 0; k < 2; k++)")
			w.line("  pthread_create(&t[%d], 0, t%d, %s);", k, k, w.pick(arg, "make(3)"))
		default:
			w.line("pthread_t u%d;", k)
			w.line("pthread_create(&u%d, 0, t%d, %s);", k, k, w.pick(arg, "make(3)"))
			joins = append(joins, fmt.Sprintf("pthread_join(u%d, 0);", k))
		}
		if w.r.IntN(2) == 0 {
			w.statement()
		}
		if w.r.IntN(3) == 0 && len(joins) > 0 {
			w.line("%s", joins[0])
			joins = joins[1:]
			w.statement()
		}
	}
	for _, j := range joins {
		if w.r.IntN(3) > 0 {
			w.line("%s", j)
			w.statement()
		}
	}
	w.b.WriteString("  return 0;\n}\n")
	return w.b.String()
}

// TestRandom checks that what runs of random programs show as a race is a suspect.
func TestRandom(t *testing.T) {
	found, locations, free := 0, 0, 0
	for k := range uint64(*random) {
		src := randomProgram(*seed + k)
		p := load(t, text(t, src))
		r := analyse(t, p.Program)
		list, n := missed(t, p.Program, r, 40)
		for i, m := range list {
			if !long.Turn(i, 4) {
				continue
			}
			t.Errorf("seed %d: no suspect: %s", *seed+k, m)
		}
		f, _ := r.RaceFree()
		found, locations, free = found+n, locations+len(r.Locations), free+f
		if t.Failed() {
			t.Log(src)
			return
		}
	}
	t.Logf("%d races; of %d locations %d are free", found, locations, free)
	if !testing.Short() && found < *random {
		t.Errorf("only %d races in all", found)
	}
}
