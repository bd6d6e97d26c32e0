package randrace

import (
	"fmt"
	"math/rand/v2"
)

// Joined returns a program of a seed that creates threads in a loop and joins them in another one, where it accesses what was theirs, or seems to
// have been.
func Joined(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 18))}
	g.text(joinedHead)
	form := g.r.IntN(4)
	typ, own := "int ", []string{"d[k]++", "d[k] = 1", "e[k] = d[k]", "(&d[1])[k]++", "d[k]++", "total++", "d[k ^ 1]++"}
	if form > 1 {
		typ, own = "struct th *", []string{"k->a++", "k->b = k->a", "k->a = 1", "k->b++", "k->a++", "ts[1].a++", "k->id = k->id"}
	}
	g.line("static void *body(void *arg) {")
	g.indent = 1
	g.line("%sk = (%s)%s;", typ, typ, map[bool]string{true: "(long)arg", false: "arg"}[form <= 1])
	for range 1 + g.r.IntN(2) {
		g.line("%s;", own[g.skewed(len(own))])
	}
	g.line("return 0;")
	g.indent = 0
	g.line("}")
	for i := range 2 {
		g.line("static void stop%d(struct th *t) {", i)
		g.indent = 1
		g.line("%s%s;", g.one("", "", "", "if (total) "), g.one("pthread_join(t->id, 0)", "pthread_join(t->id, 0)", "t = kept"))
		g.line("%s;", g.one("total += t->a", "t->b++", "free(t)"))
		g.indent = 0
		g.line("}")
	}
	g.line("int main(int argc, char **argv) {")
	g.indent = 1
	g.line("pthread_t own[8], *heap = malloc(8 * sizeof *heap), *ids = %s;", g.one("own", "all", "heap"))
	g.line("int *q = d;")
	if g.chance(10) {
		g.line("for (int o = 0; o < 2; o++) {")
		g.indent++
		g.joinedLoops(form)
		g.indent--
		g.line("}")
	} else {
		g.joinedLoops(form)
	}
	g.line("return 0;")
	g.indent = 0
	g.line("}")
	return g.out.String()
}

const joinedHead = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct th { pthread_t id; int a, b; } ts[8], *hs[8], *kept;
pthread_t all[8];
int d[16], e[16], total;
`

// skewed returns a number below n, mostly a small one.
func (g *generator) skewed(n int) int { return min(g.r.IntN(n), g.r.IntN(n)) }

// joinedLoops writes the two loops.
func (g *generator) joinedLoops(form int) {
	shift, number := g.skewed(3), g.skewed(3)
	name := func(i string, n int) string {
		if n == 0 {
			return i
		}
		return fmt.Sprintf("%s + %d", i, n)
	}
	ids := g.one("ids", "ids", "own", "all")
	last := "t->id"
	g.line("for (int i = %d; i %s 3; i++) {", g.skewed(2), g.one("<", "<", "<="))
	g.indent++
	switch form {
	case 0, 1:
		last = fmt.Sprintf("%s[%s]", ids, name("i", shift))
		g.line("pthread_create(&%s, 0, body, (void *)(long)(%s));", last, name("i", number))
	case 2:
		last = "ts[i].id"
		g.line("pthread_create(&ts[i].id, 0, body, &ts[%s]);", name("i", g.skewed(2)))
	default:
		g.line("struct th *t = %s;", g.one("malloc(sizeof *t)", "malloc(sizeof *t)", "calloc(1, sizeof *t)", "i & 1 ? malloc(sizeof *t) : &ts[i]"))
		g.line("t->a = 0;")
		g.line("hs[i] = t;")
		g.line("pthread_create(&%s, 0, body, t);", g.one("t->id", "t->id", "t->id", "hs[i]->id", "hs[0]->id"))
		if g.chance(30) {
			g.line("kept = t;")
		}
	}
	if g.chance(8) {
		g.line("%s;", g.one("if (argc > 3) break", "pthread_join("+last+", 0)", "total++", "i++"))
	}
	g.indent--
	g.line("}")
	if g.chance(15) {
		g.line("%s;", g.one("own[1] = own[0]", "all[0] = all[1]", "ids = all", "ids++", "hs[0] = hs[1]", "ts[0].id = ts[1].id", "q++", "memcpy(ids, all, sizeof own)", "hs[1] = &ts[1]", "hs[0]->id = hs[1]->id"))
	}
	g.line("for (int j = %s; %s) {", g.one("0", "0", "1", name("0", shift)), g.one("j < 3; j++", "j < 4; j++", "j < 3; j++", "j <= 4; j += 2"))
	g.indent++
	if g.chance(20) {
		g.joinedAccess(form, shift, number)
	}
	if g.chance(10) {
		g.line("if (total)")
	}
	switch form {
	case 0, 1:
		g.line("pthread_join(%s[%s], 0);", g.one(ids, ids, ids, "own"), g.one(name("j", shift), name("j", shift), "j", "j ^ 1"))
	case 2:
		g.line("pthread_join(ts[%s].id, 0);", g.one("j", "j", "j", "3 - j", "j + 1"))
	default:
		g.line("%s;", g.one("pthread_join(hs[j]->id, 0)", "pthread_join(hs[j]->id, 0)", "pthread_join(kept->id, 0)", "kept = hs[j]", "pthread_join((kept = hs[j])->id, 0)", "stop0(hs[j])", "stop1(hs[j])", "{ struct th *t = hs[j]; pthread_join(t->id, 0); t->b++; }"))
	}
	if g.chance(6) {
		g.line("%s;", g.one("j++", "q++", "hs[j] = hs[0]", "ids++", "kept = hs[0]"))
	}
	for range 1 + g.r.IntN(2) {
		g.joinedAccess(form, shift, number)
	}
	g.indent--
	g.line("}")
}

// joinedAccess accesses what may have been the thread's that was joined.
func (g *generator) joinedAccess(form, shift, number int) {
	if g.chance(15) {
		g.line("if (argc > 2)")
	}
	switch form {
	case 0, 1:
		k := g.one("j", "j", "j + 1", fmt.Sprintf("j + %d", number), fmt.Sprintf("j + %d", number), "j ^ 1")
		g.line("%s;", g.one("total += ", "e[0] = ", "")+g.one("d", "d", "d", "q", "e")+"["+k+"]"+g.one("", "", "++"))
	case 2:
		g.line("total += ts[%s].%s;", g.one("j", "j", "j", "j + 1", "j ^ 1"), g.one("a", "b"))
	default:
		g.line("%s;", g.one("total += hs[j]->a", "hs[j]->b++", "free(hs[j])", "total += kept->a", "kept->b++", "hs[j ^ 1]->a++", "total += hs[j]->a", "hs[j + 1]->b++"))
	}
}
