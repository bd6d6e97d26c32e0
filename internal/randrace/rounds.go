package randrace

import (
	"fmt"
	"math/rand/v2"
)

// Rounds returns a program of a seed whose threads meet at barriers: mostly all of them, equally often, sometimes too few or too many.
func Rounds(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 17))}
	g.text(roundsHead)
	shape := g.shape()
	for i := range 2 {
		g.line("static void help%d(void) {", i)
		g.indent = 1
		g.data()
		if g.chance(60) {
			g.meet()
		}
		if g.chance(10) {
			g.line("if (z)")
			g.line("  pthread_barrier_wait(&bar);")
		}
		g.data()
		g.indent = 0
		g.line("}")
	}
	kinds := 1 + g.r.IntN(2)
	for i := range kinds {
		g.line("static void *thread%d(void *arg) {", i)
		g.indent = 1
		g.line("int id = (int)(long)arg;")
		g.follow(g.like(shape))
		g.line("return 0;")
		g.indent = 0
		g.line("}")
	}
	g.line("int main(int argc, char **argv) {")
	g.indent = 1
	g.line("pthread_t t[16];")
	g.line("int id = 3, n = %s;", g.one("2", "argc + 1", "argc"))
	creations, counts := g.creations(kinds)
	with := g.chance(60)
	if with {
		counts += " + 1"
	}
	counts += g.one("", "", "", "", "", "", " + 1", " - 1")
	g.line("box = malloc(sizeof *box);")
	g.line("pthread_barrier_init(&bar, 0, %s);", counts)
	g.line("pthread_barrier_init(&box->bar, 0, %s);", counts)
	if g.chance(8) {
		g.line("%s;", g.one("n++", "pthread_barrier_destroy(&bar)", "pthread_barrier_init(&bar, 0, 1)", "memset(&box->bar, 0, sizeof bar)", "box = malloc(sizeof *box)"))
	}
	for _, l := range creations {
		g.line("%s", l)
	}
	if with {
		g.follow(g.like(shape))
	} else {
		g.data()
	}
	if g.chance(50) {
		g.line("for (int i = 0; i < c; i++)")
		g.line("  pthread_join(t[i], 0);")
		g.data()
	}
	g.line("return 0;")
	g.indent = 0
	g.line("}")
	return g.out.String()
}

const roundsHead = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int x, y, z, part[4];
struct box { int a; pthread_barrier_t bar; int b; } *box;
pthread_barrier_t bar;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
`

// creations returns statements that create threads of some kinds, and how many that are.
func (g *generator) creations(kinds int) (list []string, count string) {
	list = []string{"int c = 0;"}
	for i := range kinds {
		loop, n := "", "2"
		switch g.r.IntN(6) {
		case 0:
			n = "1"
		case 1:
			loop, n = "for (int i = 0; i < n; i++)", "n"
		case 2:
			loop = "for (int i = 2; i > 0; i--)"
		case 3:
			loop = fmt.Sprintf("for (int i = 0; i %s 4; i += 2)", g.one("<", "<", "<="))
		default:
			loop = "for (int i = 0; i < 2; i++)"
		}
		arg := "0"
		if loop != "" {
			list, arg = append(list, loop), "(void *)(long)i"
		}
		list = append(list, fmt.Sprintf("  pthread_create(&t[c++], 0, thread%d, %s);", i, arg))
		if g.chance(5) {
			list = append(list, fmt.Sprintf("pthread_create(&t[c++], 0, thread%d, 0);", i))
		}
		if i > 0 {
			count += " + "
		}
		count += n
	}
	return list, count
}

// shape is in which parts threads meet: how often in each, and whether that is a loop.
func (g *generator) shape() (list []int) {
	for range 1 + g.r.IntN(3) {
		list = append(list, 1+g.r.IntN(2)+10*g.r.IntN(2))
	}
	return list
}

// like returns a shape, mostly the same one.
func (g *generator) like(shape []int) (list []int) {
	for _, n := range shape {
		switch {
		case g.chance(4):
			list = append(list, n, 1)
		case g.chance(4):
		case g.chance(6):
			list = append(list, n^1)
		default:
			list = append(list, n)
		}
	}
	return list
}

// follow writes the statements of a thread that meets others in some shape.
func (g *generator) follow(shape []int) {
	for _, n := range shape {
		if n >= 10 {
			g.line("for (int k = 0; k < 2; k++) {")
			g.indent++
		}
		for range n % 10 {
			for range g.r.IntN(3) {
				g.roundData()
			}
			g.meet()
		}
		if g.chance(60) {
			g.roundData()
		}
		if n >= 10 {
			g.indent--
			g.line("}")
		}
	}
	g.roundData()
}

// meet waits at a barrier.
func (g *generator) meet() {
	switch g.r.IntN(12) {
	case 0:
		g.line("if (pthread_barrier_wait(&bar) == PTHREAD_BARRIER_SERIAL_THREAD)")
		g.line("  %s;", g.one("x++", "y = x"))
	case 1:
		g.line("pthread_barrier_wait(&box->bar);")
	default:
		g.line("pthread_barrier_wait(&bar);")
	}
}

// roundData accesses what barriers may order.
func (g *generator) roundData() {
	switch g.r.IntN(12) {
	case 0, 1, 2:
		g.line("part[id] = %s;", g.one("id", "x", "part[id] + 1"))
	case 3, 4:
		g.line("%s = part[%s];", g.one("part[id]", "z"), g.one("id ^ 1", "0", "(id + 1) & 3"))
	case 5, 6:
		g.line("if (id == %d)", g.r.IntN(2))
		g.line("  %s;", g.one("x++", "y = x", "z = y"))
	case 7:
		g.line("help%d();", g.r.IntN(2))
	case 8:
		g.line("pthread_mutex_lock(&m);")
		g.line("%s;", g.one("x++", "y++"))
		g.line("pthread_mutex_unlock(&m);")
	default:
		g.line("%s;", g.one("z = x", "x = 1", "y = x", "z = y", "box->a = box->b", "box->b = z"))
	}
}
