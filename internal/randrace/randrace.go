// Package randrace writes random C programs whose threads share structs with locks in them, heap, lists, arrays of
// locks and conditions, for testing analyses of data races. Most accesses are protected in one of the ways in which real programs
// do that; some are not, and often it takes a close look to tell: a wrapper takes another lock than it
// seems to, a pointer is changed between lock and access, a result of trylock is not looked at.
//
// Every statement is on a line of its own, so that lines tell accesses apart. Equal seeds give equal programs.
package randrace

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program returns the program of a seed.
func Program(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 14))}
	g.text(head)
	g.wrappers()
	for i := range 1 + g.r.IntN(3) {
		g.helper(i)
	}
	threads := 1 + g.r.IntN(3)
	for i := range threads {
		g.thread(i)
	}
	g.main(threads)
	return g.out.String()
}

const head = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
struct item { int v; struct item *next; };
struct box { pthread_mutex_t m; int a, b; int arr[3]; struct box *peer; struct item *head; pthread_mutex_t *lk; };
struct box b0, b1, boxes[3];
struct box *pb = &b0, *qb = &b1;
pthread_mutex_t g0 = PTHREAD_MUTEX_INITIALIZER, g1 = PTHREAD_MUTEX_INITIALIZER, locks[3];
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
int x, y, ready, arr[3];
_Atomic int at;
static void setup(struct box *p, struct box *peer, pthread_mutex_t *lk) {
  pthread_mutex_init(&p->m, 0);
  p->a = 1;
  p->peer = peer;
  p->lk = lk;
}
`

// generator writes a program.
type generator struct {
	r       *rand.Rand
	out     strings.Builder
	indent  int
	locals  int // so far in the function
	boxes   []string
	indexes []string
	helpers int // that may be called
	depth   int // of statements within one another
	held    int // locks, by what the text looks like
}

func (g *generator) text(s string) { g.out.WriteString(s) }

// line writes a line.
func (g *generator) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat("  ", g.indent))
	fmt.Fprintf(&g.out, format+"\n", args...)
}

func (g *generator) one(of ...string) string { return of[g.r.IntN(len(of))] }

func (g *generator) chance(percent int) bool { return g.r.IntN(100) < percent }

// wrappers writes functions that take locks, some of which are not what they seem.
func (g *generator) wrappers() {
	lock := g.one("&p->m", "&p->m", "&p->m", "&p->m", "p->lk", "&g0", "&p->peer->m")
	unlock := lock
	if g.chance(5) {
		unlock = "&p->m"
	}
	g.line("static void take(struct box *p) {\n  pthread_mutex_lock(%s);\n}", lock)
	g.line("static void give(struct box *p) {\n  pthread_mutex_unlock(%s);\n}", unlock)
	g.line("static int try(struct box *p) {\n  return pthread_mutex_trylock(%s) %s 0;\n}", g.one("&p->m", "&p->m", "p->lk"), g.one("==", "==", "!="))
	g.line("static pthread_mutex_t *of(struct box *p) {\n  return %s;\n}", g.one("&p->m", "&p->m", "p->lk", "p->a ? &g0 : &g1"))
}

// begin begins a function in whose text these are names of boxes and of indexes.
func (g *generator) begin(boxes, indexes []string) {
	g.boxes = append(boxes, "pb", "qb", "(&b0)", "(&b1)", "(&boxes[1])")
	g.indexes = append(indexes, "0", "1", "2")
	g.indent, g.locals, g.depth, g.held = 1, 0, 0, 0
}

func (g *generator) helper(i int) {
	g.line("static void help%d(struct box *p, int i) {", i)
	g.begin([]string{"p", "p", "p"}, []string{"i"})
	g.block(1 + g.r.IntN(3))
	g.indent = 0
	g.line("}")
	g.helpers++
}

func (g *generator) thread(i int) {
	g.line("static void *thread%d(void *arg) {", i)
	g.begin([]string{"p", "p"}, nil)
	g.line("struct box *p = arg;")
	g.block(2 + g.r.IntN(4))
	g.line("return 0;")
	g.indent = 0
	g.line("}")
}

func (g *generator) main(threads int) {
	if g.chance(30) {
		g.line("static void start(pthread_t *t, void *(*f)(void *), struct box *p) {\n  p->b = 2;\n  pthread_create(t, 0, f, p);\n}")
	} else {
		g.line("static void start(pthread_t *t, void *(*f)(void *), struct box *p) {\n  pthread_create(t, 0, f, p);\n}")
	}
	g.line("int main(void) {")
	g.begin(nil, nil)
	g.line("pthread_t t[8];")
	g.line("int n = 0;")
	g.line("setup(&b0, &b1, &g0);")
	g.line("setup(&b1, %s, %s);", g.one("&b0", "&boxes[0]"), g.one("&g0", "&g1", "&b1.m"))
	g.line("for (int i = 0; i < 3; i++)")
	g.line("  setup(&boxes[i], &b0, &locks[%s]);", g.one("i", "i", "0"))
	g.line("for (int i = 0; i < 3; i++)")
	g.line("  pthread_mutex_init(&locks[i], 0);")
	g.block(g.r.IntN(2))
	for i := range threads {
		g.create(i)
		if g.chance(40) {
			g.block(1)
		}
		if g.chance(15) {
			g.line("pthread_join(t[--n], 0);")
		}
	}
	g.block(g.r.IntN(3))
	if g.chance(70) {
		g.line("while (n > 0)")
		g.line("  pthread_join(t[--n], 0);")
	}
	if g.chance(70) {
		g.block(1 + g.r.IntN(2))
	}
	g.line("return 0;")
	g.indent = 0
	g.line("}")
}

// create writes the creation of threads.
func (g *generator) create(i int) {
	switch g.r.IntN(5) {
	case 0:
		g.line("for (int i = 0; i < 2; i++)")
		g.line("  pthread_create(&t[n++], 0, thread%d, %s);", i, g.one("&boxes[i]", "&b0", "pb"))
	case 1:
		g.line("start(&t[n++], thread%d, %s);", i, g.one(g.boxes...))
	case 2:
		g.line("struct box *made%d = malloc(sizeof *made%d);", i, i)
		g.line("setup(made%d, %s, &g0);", i, g.one(g.boxes...))
		g.line("pthread_create(&t[n++], 0, thread%d, made%d);", i, i)
		if g.chance(30) {
			g.boxes = append(g.boxes, fmt.Sprintf("made%d", i))
		}
	default:
		g.line("pthread_create(&t[n++], 0, thread%d, %s);", i, g.one(g.boxes...))
	}
}
