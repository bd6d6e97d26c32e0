package randprog

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Unset returns the text of a small program, of one thread or two, about half of which read something that is not initialised: locals, parts of
// structs, unions, arrays and memory from malloc, which are written on some ways only, copied, or handed to another thread. It has no assertions,
// no data races, and no other undefined behaviour.
func Unset(seed uint64) string {
	g := &unsetting{r: rand.New(rand.NewPCG(seed, 11))}
	var main []string
	for range 3 + g.r.IntN(4) {
		main = append(main, g.write(true))
	}
	for range 3 + g.r.IntN(5) {
		main = append(main, g.statement(2))
	}
	helper := ""
	if g.r.IntN(3) == 0 {
		at := g.r.IntN(len(main))
		helper = "static void *work(void *arg) {\n  struct all *m = arg;\n  int t = 0;\n  (void)t;\n" + lines([]string{g.write(false), g.statement(1)}) + "  return 0;\n}\n"
		create := "{ pthread_t id; pthread_create(&id, 0, work, m); pthread_join(id, 0); }"
		main = append(main[:at:at], append([]string{create}, main[at:]...)...)
	}
	return unsetHeader + helper + "int main(void) {\n  struct all on, *m = &on;\n  int t = 0;\n  (void)t;\n" +
		"  m->h = malloc(sizeof *m->h);\n  m->k = malloc(2 * sizeof *m->k);\n" + lines(main) + "  free(m->h);\n  free(m->k);\n  return 0;\n}\n"
}

const unsetHeader = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct pair { int a; char b; int c : 3, d : 4; };
union both { int n; char c[4]; };
struct all { int x, v[3]; char s[4], r[4]; struct pair p, q, *h; union both u; int *k; };
static struct pair zero;
static void set(int *p) { *p = 1; }
static void maybe(int *p) { if (__VERIFIER_nondet_bool()) *p = 2; }
static int get(const int *p) { return *p; }
static struct pair made(int n) { struct pair p; p.a = n; return p; }
`

// unsetting makes one such program. What it has seen written is read more often.
type unsetting struct {
	r       *rand.Rand
	written []string
}

// scalars are what is written and read, places those of them that are ints with an address.
var (
	places  = []string{"m->x", "m->v[0]", "m->v[1]", "m->v[2]", "m->p.a", "m->q.a", "m->h->a", "m->u.n", "m->k[0]", "m->k[1]"}
	scalars = append([]string{"m->s[0]", "m->s[1]", "m->s[2]", "m->r[1]", "m->r[3]", "m->p.b", "m->p.c", "m->p.d", "m->q.b", "m->q.c", "m->q.d", "m->h->b", "m->h->c",
		"m->h->d", "m->u.c[0]", "m->u.c[2]"}, places...)
)

func (g *unsetting) pick(list []string) string { return list[g.r.IntN(len(list))] }

// note notes what is written on all ways.
func (g *unsetting) note(always bool, what ...string) {
	if always {
		g.written = append(g.written, what...)
	}
}

// write returns a statement that writes something.
func (g *unsetting) write(always bool) string {
	switch g.r.IntN(16) {
	case 0:
		p := g.pick(places)
		g.note(always, p)
		return fmt.Sprintf("set(&%s);", p)
	case 1:
		return fmt.Sprintf("maybe(&%s);", g.pick(places))
	case 2:
		to, from := g.pick([]string{"m->p", "m->q", "*m->h"}), g.pick([]string{"m->p", "m->q", "*m->h", "zero", "made(2)"})
		return fmt.Sprintf("%s = %s;", to, from)
	case 3:
		g.note(always, "m->p.a", "m->p.b", "m->p.c", "m->p.d")
		return "m->p = zero;"
	case 4:
		return fmt.Sprintf("memcpy(&m->q, %s, sizeof m->q);", g.pick([]string{"m->h", "&m->p", "&zero"}))
	case 5:
		g.note(always, "m->h->a", "m->h->b", "m->h->d")
		return "memset(m->h, 0, sizeof *m->h);"
	case 6:
		return fmt.Sprintf("memset(m->%s, 0, %d);", g.pick([]string{"s", "r"}), 1+g.r.IntN(4))
	case 7:
		return g.pick([]string{"memcpy(m->s, m->r, 3);", "memcpy(m->r + 1, m->s, 2);", "memcpy(&m->u, m->s, 4);", "memcpy(m->v, m->v + 1, 4);", "memcpy(m->v, m->k, 8);", "memmove(m->s, m->s + 1, 3);"})
	case 8:
		return fmt.Sprintf("m->%s[%d] = m->%s[%d];", g.pick([]string{"s", "r"}), g.r.IntN(4), g.pick([]string{"s", "r", "u.c"}), g.r.IntN(4))
	case 9:
		return fmt.Sprintf("m->v[__VERIFIER_nondet_bool() + %d] = 1;", g.r.IntN(2))
	case 10:
		if g.r.IntN(3) == 0 {
			return "m->k = realloc(m->k, 2 * sizeof *m->k);"
		}
	}
	p := g.pick(scalars)
	g.note(always, p)
	return fmt.Sprintf("%s = %d;", p, g.r.IntN(3))
}

// read returns a statement that reads something.
func (g *unsetting) read() string {
	p := g.pick(scalars)
	if len(g.written) > 0 && g.r.IntN(8) > 0 {
		p = g.pick(g.written)
	}
	switch g.r.IntN(6) {
	case 0:
		return fmt.Sprintf("if (%s == 1) t = 1;", p)
	case 1:
		return fmt.Sprintf("t = t > 5 ? 0 : t + (%s != 0);", p)
	case 2:
		if strings.HasPrefix(p, "m->v[") || p == "m->x" || p == "m->p.a" {
			return fmt.Sprintf("t = get(&%s);", p)
		}
	case 3:
		if strings.HasPrefix(p, "m->s") {
			return "t = memcmp(m->s, zero.a ? m->r : m->s, 1);"
		}
	}
	return fmt.Sprintf("t = %s;", p)
}

// statement returns one with others in it.
func (g *unsetting) statement(depth int) string {
	switch n := g.r.IntN(12); {
	case n < 4:
		return g.read()
	case n < 7 || depth == 0:
		return g.write(depth == 2)
	case n < 9:
		return fmt.Sprintf("if (__VERIFIER_nondet_bool()) { %s %s } else { %s }", g.write(false), g.statement(depth-1), g.write(false))
	case n < 10:
		return fmt.Sprintf("for (int i = 0; i < 2; i++) { %s %s }", g.statement(depth-1), g.pick([]string{"m->v[i] = i;", "m->k[i] = i;", "m->s[i + 1] = 0;", "if (i) t = 0;"}))
	case n < 11:
		return fmt.Sprintf("for (int i = 0; i < 2; i++) { int z; if (i == %d) z = 1; %s if (i >= %d) t = z; }", g.r.IntN(2), g.write(false), g.r.IntN(3))
	}
	return fmt.Sprintf("{ int z, w[2]; w[__VERIFIER_nondet_bool()] = 1; %s %s t = %s; }",
		g.pick([]string{"z = 1;", "maybe(&z);", "set(&z);", "set(&w[1]);"}), g.pick([]string{"set(&w[0]);", "set(&w[1]);", ";"}), g.pick([]string{"t", "t", "w[0]", "z"}))
}
