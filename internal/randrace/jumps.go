package randrace

import "math/rand/v2"

// Jumps returns a program of a seed whose first thread jumps back while it creates threads, joins them and accesses what they access, or before, or does not.
func Jumps(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 21))}
	g.text(`#include <pthread.h>
#include <setjmp.h>
int x, y, ready, jumps;
jmp_buf env;
pthread_t t0, t1, t2;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
`)
	for i := range 3 {
		g.line("static void *thread%d(void *arg) {", i)
		g.indent = 1
		for range 1 + g.r.IntN(2) {
			g.line("%s", g.one("x++;", "y++;", "if (x) return 0;", "if (y) return 0;", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"))
		}
		g.line("return 0;")
		g.indent = 0
		g.line("}")
	}
	for i := range 2 {
		g.line("static void help%d(void) {", i)
		g.indent = 1
		for range 1 + g.r.IntN(3) {
			g.jumping(2)
		}
		g.indent = 0
		g.line("}")
	}
	g.line("int main(void) {")
	g.indent = 1
	for range g.r.IntN(3) {
		g.jumping(0)
	}
	g.line("%s", g.one("if (setjmp(env)) {", "if (!setjmp(env)) {", "setjmp(env); {"))
	g.indent++
	for range g.r.IntN(3) {
		g.jumping(1)
	}
	g.indent--
	g.line("}")
	g.line("ready = 1;")
	for range 1 + g.r.IntN(4) {
		g.jumping(0)
	}
	g.line("return 0;")
	g.indent = 0
	g.line("}")
	return g.out.String()
}

// jumping writes a statement of the first thread, at a depth.
func (g *generator) jumping(depth int) {
	id := g.r.IntN(3)
	switch n := g.r.IntN(12); {
	case n < 4:
		g.line("%s", g.one("x++;", "y = 1;", "if (x) y++;", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"))
	case n < 6:
		g.line("pthread_create(&t%d, 0, thread%d, 0);", id, id)
	case n < 8:
		g.line("pthread_create(&t%d, 0, thread%d, 0);", id, id)
		if depth < 2 {
			g.jumping(depth + 1)
		}
		g.line("pthread_join(t%d, 0);", id)
	case n < 10:
		g.line("if (ready && jumps < %d) { jumps++; longjmp(env, 1); }", 1+g.r.IntN(2))
	case depth < 2:
		g.line("help%d();", g.r.IntN(2))
	default:
		g.line("x++;")
	}
}
