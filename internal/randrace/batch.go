package randrace

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Batch returns a program of a seed whose threads are created in loops, and are given numbers, elements of arrays or objects that are allocated for
// them: most access what is their own, and some what looks as if it was.
func Batch(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 15))}
	g.text(batchHead)
	kinds := 1 + g.r.IntN(2)
	var args []string
	for i := range kinds {
		args = append(args, g.batchThread(i))
	}
	for i := range kinds {
		g.batchLoop(i, args[i])
	}
	g.line("int main(void) {")
	g.indent = 1
	g.line("ptr = calloc(16, sizeof(int));")
	g.line("heap = calloc(8, sizeof(struct rec));")
	if g.chance(15) {
		g.line("ptr = %s;", g.one("arr", "ptr + 1", "arr + 2"))
	}
	for i := range kinds {
		again := g.chance(20)
		g.line("start%d(%d);", i, g.r.IntN(2))
		if g.chance(25) {
			g.batchAccess("1")
		}
		if again {
			if g.chance(60) {
				g.line("join();")
			}
			g.line("start%d(0);", i)
		}
		if g.chance(40) {
			g.line("join();")
		}
	}
	g.line("join();")
	if g.chance(60) {
		g.batchAccess("0")
	}
	g.line("return 0;")
	g.indent = 0
	g.line("}")
	return g.out.String()
}

const batchHead = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct rec { int a, b; int buf[2]; struct rec *peer; };
struct rec recs[8], *heap, *kept;
int arr[16], mat[8][2], *ptr, total;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t ids[32];
int created;
static void join(void) {
  while (created > 0)
    pthread_join(ids[--created], 0);
}
static int twice(int n) { return n * 2; }
static struct rec *made(void) {
  struct rec *r = malloc(sizeof *r);
  r->a = 0;
  return r;
}
`

// batchAccess writes an access of an element with a number.
func (g *generator) batchAccess(k string) {
	j := g.one("0", "1", "1", "total & 1")
	switch g.r.IntN(12) {
	case 0, 1:
		g.line("arr[%s]++;", k)
	case 2:
		g.line("arr[%s + 1]++;", k)
	case 3, 4:
		g.line("ptr[%s]++;", k)
	case 5:
		g.line("recs[%s].%s++;", k, g.one("a", "b"))
	case 6:
		g.line("recs[%s].buf[%s]++;", k, j)
	case 7:
		g.line("mat[%s][%s]++;", k, j)
	case 8:
		g.line("heap[%s].%s++;", k, g.one("a", "b"))
	case 9:
		g.line("memset(&recs[%s], 0, %s);", k, g.one("sizeof(struct rec)", "sizeof(int)", "2 * sizeof(int)"))
	case 10:
		g.line("(&recs[%s])->a++;", k)
	default:
		g.line("arr[%s] = 3;", g.one(k, "2 * "+k, k+" & 3", "twice("+k+")"))
	}
}

// recAccess writes an access of a struct that a pointer points to.
func (g *generator) recAccess(p string) {
	switch g.r.IntN(8) {
	case 0, 1, 2:
		g.line("%s->%s++;", p, g.one("a", "b"))
	case 3:
		g.line("%s->buf[%s]++;", p, g.one("0", "1", "total & 1"))
	case 4:
		g.line("memset(%s, 0, sizeof(int));", p)
	case 5:
		g.line("(%s + 1)->a++;", p)
	case 6:
		g.line("recs[0].a++;")
	default:
		g.line("%s->b = %s->a;", p, p)
	}
}

// batchThread writes a thread's function, and what it calls. It returns what the thread is given: "number", "element" of an array of ints, or "rec".
func (g *generator) batchThread(i int) string {
	arg := g.one("number", "number", "rec", "rec", "element")
	typ := map[string]string{"number": g.one("int", "long", "int", "unsigned", "unsigned char", "short"), "element": "int *", "rec": "struct rec *"}[arg]
	access := func(name string) {
		switch arg {
		case "number":
			g.batchAccess(name)
		case "element":
			g.line("%s;", g.one("*"+name+" = 1", "(*"+name+")++", name+"[0]++", name+"[1] = 2", "memset("+name+", 0, sizeof(int))"))
		default:
			g.recAccess(name)
		}
	}
	g.line("static void use%d(%s k, int other) {", i, typ)
	g.indent = 1
	access("k")
	g.indent = 0
	g.line("}")
	g.line("static void *body%d(void *arg) {", i)
	g.indent = 1
	cast := "arg"
	if arg == "number" {
		cast = g.one("(long)arg", "(int)(long)arg", "(unsigned long)arg")
	}
	g.line("%s k = %s;", typ, cast)
	for range 1 + g.r.IntN(2) {
		switch n := g.r.IntN(20); {
		case n < 10:
			access("k")
		case n < 13:
			g.line("use%d(k, 1);", i)
		case n < 14:
			g.line("use%d(k%s, 1);", i, g.one(" + 1", " + 0", ""))
		case n < 15:
			g.line("pthread_mutex_lock(&m);")
			access("k")
			g.line("pthread_mutex_unlock(&m);")
		case n < 16 && arg == "number":
			g.line("for (int j = 0; j < %d; j++)", 1+g.r.IntN(2))
			g.line("  arr[k + j]++;")
		case n < 17:
			if g.chance(30) {
				g.line("k = %s;", map[string]string{"number": "1", "element": "arr", "rec": g.one("recs", "k->peer ? k->peer : k")}[arg])
			} else {
				g.line("k = k;")
			}
		case n < 18:
			g.line("ptr = %s;", g.one("ptr", "arr", "ptr + 1"))
		default:
			g.line("if (total)")
			g.line("  total = 0;")
		}
	}
	if arg == "rec" && g.chance(10) {
		g.line("kept = k;")
	}
	g.line("return 0;")
	g.indent = 0
	g.line("}")
	return arg
}

// batchLoop writes a function with a loop that creates threads.
func (g *generator) batchLoop(i int, arg string) {
	g.line("static void start%d(int from) {", i)
	g.indent = 1
	g.line("struct rec own[4], *r = %s, *prev = 0;", g.one("malloc(sizeof *r)", "made()", "recs"))
	g.line("int *q = %s;", g.one("ptr", "arr", "calloc(8, sizeof(int))"))
	g.line("memset(own, 0, sizeof own);")
	typ := g.one("int", "int", "long", "unsigned", "size_t", "unsigned char", "short")
	step, after := "i++", ""
	head := fmt.Sprintf("for (%s i = %s; i < %s; %%s)", typ, g.one("0", "0", "1", "from"), g.one("2", "3", "3", "from + 2"))
	switch g.r.IntN(10) {
	case 0:
		head = fmt.Sprintf("for (%s i = 3; i > %s; %%s)", g.one("int", "long"), g.one("0", "1"))
		step = "i--"
	case 1:
		head = fmt.Sprintf("for (%s i = 0; i < 6; %%s)", typ)
		step = "i += 2"
	case 2:
		after = g.one("i++;", "if (from) i++;", "i += 0;", "from++;")
		if after[0] == 'i' && strings.HasPrefix(step, "i") {
			step = g.one("i++", "")
		}
	case 3:
		step = g.one("i++", "i = i + 1", "i -= -1", "i = from ? i + 1 : i + 2")
	}
	if after == "i += 0;" || step == "" {
		after = "i++;"
	}
	outer := g.chance(10)
	if outer {
		g.line("for (int o = 0; o < 2; o++) {")
		g.indent++
	}
	g.line(head+" {", step)
	g.indent++
	if after != "" && g.chance(30) {
		g.line("%s", after)
		after = ""
	}
	g.batchTurn(i, arg)
	if after != "" {
		g.line("%s", after)
	}
	g.indent--
	g.line("}")
	if outer {
		if g.chance(50) {
			g.line("join();")
		}
		g.indent--
		g.line("}")
	}
	if g.chance(60) {
		g.line("join();")
	} else {
		g.line("if (from < 5) join();")
	}
	if g.chance(30) {
		g.batchAccess("1")
	}
	g.indent = 0
	g.line("}")
}

// batchTurn writes what is done in a turn of a loop that creates threads.
func (g *generator) batchTurn(n int, arg string) {
	number := g.one("i", "i", "i", "i + 1", "i", "i & 1", "i / 2", "(char)i", "(unsigned short)i", "from")
	given := ""
	switch arg {
	case "number":
		given = "(void *)(long)(" + number + ")"
	case "element":
		given = "&" + g.one("arr", "arr", "ptr", "q") + "[" + number + "]"
	default:
		given = g.one("&recs[i]", "&recs["+number+"]", "&heap[i]", "&own[i]", "r", "r", "r", "own + i", "made()")
		if given == "r" {
			g.line("%s;", g.one("r = malloc(sizeof *r)", "r = malloc(sizeof *r)", "r = calloc(1, sizeof *r)", "if (i & 1) r = malloc(sizeof *r)", "r = made()", "r = &recs[i]", "r = prev ? prev : malloc(sizeof *r)"))
		}
	}
	g.line("prev = r;")
	before := func() {
		switch {
		case arg == "element" && g.chance(50):
			g.line("%s = 1;", strings.TrimPrefix(g.one(given, "&arr[i]", "&q[i]", "&arr[i + 1]"), "&"))
		case arg == "rec" && given != "made()":
			g.recAccess("(" + g.one(given, given, "&recs[i]") + ")")
		default:
			g.batchAccess(g.one("i", "i", "i + 1", "i - 1"))
		}
	}
	if g.chance(50) {
		before()
	}
	if g.chance(8) {
		g.line("%s;", g.one("q = arr", "q++", "ptr = arr", "ptr++", "if (from) continue"))
	}
	create := fmt.Sprintf("pthread_create(&ids[created++], 0, body%d, %s);", n, given)
	switch g.r.IntN(12) {
	case 0:
		g.line("if (from || i)")
		g.line("  %s", create)
	case 1:
		g.line("for (int o = 0; o < 2; o++)")
		g.line("  %s", create)
	case 2:
		g.line("%s", create)
		g.line("%s", create)
	case 3:
		g.line("%s", create)
		g.line("pthread_join(ids[--created], 0);")
	default:
		g.line("%s", create)
	}
	if g.chance(25) {
		before()
	}
	if g.chance(10) {
		g.line("if (total)")
		g.line("  break;")
	}
}
