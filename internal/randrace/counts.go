package randrace

import (
	"math/rand/v2"
	"strings"
)

// Counts returns a program of a seed whose threads share objects that count their references, by atomic operations or under a lock. In most of them some statements are missing,
// twice or elsewhere, which may be a mistake or not.
func Counts(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 22))}
	g.text(countsHead)
	form := countsForms[g.r.IntN(len(countsForms))]
	named := g.chance(40)
	free := "free(o);"
	if named {
		free = "free(o->name);\n    free(o);"
	}
	g.countsFunc("static void init(struct obj *o) {", "pthread_mutex_init(&o->m, 0);\no->"+form.refs+" = 1;\no->n = 1;\no->g = 0;", 3)
	g.countsFunc("static struct obj *get(struct obj *o) {", form.get, 5)
	g.countsFunc("static void put(struct obj *o) {\n  int old = 0, left = 0, last = 0;", strings.ReplaceAll(form.put, "FREE", free), 10)
	g.line("static struct obj *make(void) {")
	g.line("  struct obj *o = malloc(sizeof *o);")
	g.line("  init(o);")
	g.line("  o->name = %s;", map[bool]string{true: "strdup(\"a\")", false: "0"}[named])
	g.line("  return o;")
	g.line("}")
	slots := g.chance(60)
	for i := range 2 {
		g.countsThread(i, slots, named)
	}
	g.countsMain(slots, named)
	return g.out.String()
}

const countsHead = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
struct obj { atomic_int refs; pthread_mutex_t m; int held; int n; int g; char *name; };
struct job { int x; struct obj *o; };
static pthread_mutex_t g0 = PTHREAD_MUTEX_INITIALIZER;
static struct { pthread_mutex_t m; struct obj *now; } slot = { PTHREAD_MUTEX_INITIALIZER };
static struct obj *seen;
static atomic_int sum;
`

// countsForm is a way to count.
type countsForm struct{ refs, get, put string }

var countsForms = []countsForm{
	{"refs", "atomic_fetch_add(&o->refs, 1);\nreturn o;", "if (atomic_fetch_sub(&o->refs, 1) == 1) {\n    FREE\n  }"},
	{"refs", "atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);\nreturn o;", "if (!--o->refs) {\n    FREE\n  }"},
	{"refs", "o->refs++;\nreturn o;", "old = atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel);\nif (old > 1)\n  return;\nFREE"},
	{"held", "pthread_mutex_lock(&o->m);\no->held++;\npthread_mutex_unlock(&o->m);\nreturn o;", "pthread_mutex_lock(&o->m);\nlast = --o->held == 0;\npthread_mutex_unlock(&o->m);\nif (last) {\n    pthread_mutex_destroy(&o->m);\n    FREE\n  }"},
	{"held", "pthread_mutex_lock(&g0);\no->held++;\npthread_mutex_unlock(&g0);\nreturn o;", "pthread_mutex_lock(&g0);\nleft = --o->held;\npthread_mutex_unlock(&g0);\nif (left == 0) {\n    FREE\n  }"},
}

// countsFunc writes a function of some lines, perhaps changed.
func (g *generator) countsFunc(head, body string, mistakes int) {
	lines := strings.Split(body, "\n")
	if g.chance(mistakes) {
		lines = g.mistake(lines)
	}
	g.line("%s", head)
	for _, l := range lines {
		g.line("  %s", l)
	}
	if strings.Contains(head, "*get") && !strings.HasPrefix(lines[len(lines)-1], "return") {
		g.line("  return o;")
	}
	g.line("}")
}

// countsUse returns what a thread does with an object.
func (g *generator) countsUse(named bool) []string {
	uses := [][]string{{"sum += o->n;"}, {"get(o);", "sum += o->n;", "put(o);"}, {"pthread_mutex_lock(&o->m);", "o->g++;", "pthread_mutex_unlock(&o->m);"}}
	if named {
		uses = append(uses, []string{"sum += o->name[0];"})
	}
	if g.chance(4) {
		return []string{g.one("o->n++;", "o->g++;", "seen = o;", "if (seen) sum += seen->n;")}
	}
	return uses[g.r.IntN(len(uses))]
}

func (g *generator) countsThread(i int, slots, named bool) {
	g.line("static void *thread%d(void *arg) {", i)
	g.line("  struct job *j = arg;")
	g.line("  struct obj *o = arg, *p;")
	var lines []string
	if i == 1 {
		lines = []string{"o = j->o;", "free(j);"}
	}
	lines = append(lines, g.countsUse(named)...)
	if g.chance(40) {
		lines = append(lines, g.countsUse(named)...)
	}
	if lines = append(lines, "put(o);"); slots {
		if g.chance(70) {
			lines = append(lines, "pthread_mutex_lock(&slot.m);", "o = get(slot.now);", "pthread_mutex_unlock(&slot.m);")
			lines = append(append(lines, g.countsUse(named)...), "put(o);")
		}
		if g.chance(50) {
			lines = append(lines, "p = make();", "pthread_mutex_lock(&slot.m);", "o = slot.now;", "slot.now = p;", "pthread_mutex_unlock(&slot.m);", "put(o);")
		}
	}
	if g.chance(35) {
		lines = g.mistake(lines)
	}
	for _, l := range lines {
		g.line("  %s", l)
	}
	g.line("  return 0;")
	g.line("}")
}

func (g *generator) countsMain(slots, named bool) {
	lines := []string{"o = make();"}
	if slots {
		lines = append(lines, "slot.now = make();")
	}
	n := 2 + g.r.IntN(2)
	for i := range n {
		if g.chance(50) {
			lines = append(lines, "get(o);", "pthread_create(&t["+string(rune('0'+i))+"], 0, thread0, o);")
			continue
		}
		j := "job" + string(rune('0'+i))
		lines = append(lines, j+" = malloc(sizeof *"+j+");", j+"->x = 1;", j+"->o = get(o);", "pthread_create(&t["+string(rune('0'+i))+"], 0, thread1, "+j+");")
	}
	lines = append(append(lines, g.countsUse(named)...), "put(o);")
	if g.chance(35) {
		lines = g.mistake(lines)
	}
	for i := range n {
		lines = append(lines, "pthread_join(t["+string(rune('0'+i))+"], 0);")
	}
	if slots && g.chance(70) {
		lines = append(lines, "put(slot.now);")
	}
	g.line("int main(void) {")
	g.line("  pthread_t t[4];")
	g.line("  struct job *job0, *job1, *job2;")
	g.line("  struct obj *o;")
	for _, l := range lines {
		g.line("  %s", l)
	}
	g.line("  return 0;")
	g.line("}")
}
