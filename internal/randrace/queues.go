package randrace

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Queues returns a program of a seed whose threads transfer the ownership of objects by stacks, queues and slots under locks. In most of them some statements are
// missing, twice or elsewhere, which may be a mistake or not.
func Queues(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 21))}
	g.text(queuesHead)
	second := "&a"
	if g.chance(12) {
		second = "&b"
	}
	form := g.r.IntN(len(queueForms))
	f := queueForms[form]
	put, take := f[0], f[1]
	if g.chance(10) {
		take = queueForms[g.r.IntN(len(queueForms))][1]
	}
	g.queueFunc("static void put(struct queue *q, struct job *j) {", put, "")
	g.queueFunc("static struct job *take(struct queue *q) {", "struct job *j = 0;\n"+take, "return j;")
	threads := 2 + g.r.IntN(2)
	for i := range threads {
		g.queueThread(i, second)
	}
	g.line("int main(void) {")
	g.indent = 1
	g.line("pthread_t t[8];")
	g.line("int n = 0;")
	if g.chance(15) {
		g.queueMake("j0")
		g.line("put(&a, j0);")
	}
	for i := range threads {
		g.line("pthread_create(&t[n++], 0, thread%d, 0);", i)
		if g.chance(30) {
			g.line("pthread_create(&t[n++], 0, thread%d, 0);", i)
		}
	}
	if g.chance(80) {
		g.line("while (n > 0)")
		g.line("  pthread_join(t[--n], 0);")
	}
	if g.chance(40) {
		g.line("struct job *rest = take(&a);")
		g.line("if (rest)")
		g.line("  rest->x++;")
		g.line("free(rest);")
	}
	g.line("return 0;")
	g.indent = 0
	g.line("}")
	return g.out.String()
}

const queuesHead = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct job { int x; struct job *next; int y; };
struct queue { pthread_mutex_t m; struct job *head, *tail, **end; pthread_cond_t c; int n; } a = { PTHREAD_MUTEX_INITIALIZER }, b = { PTHREAD_MUTEX_INITIALIZER };
pthread_mutex_t g0 = PTHREAD_MUTEX_INITIALIZER;
struct job *kept;
int sum;
`

// queueForms are ways to put an object j into a container and to take one out. % is where the lock is held.
var queueForms = [][2]string{
	{"%\nj->next = q->head;\nq->head = j;\n%", "%\nj = q->head;\nif (j)\n  q->head = j->next;\n%"},
	{"%\nif (!q->head)\n  q->head = j;\n%", "%\nj = q->head;\nq->head = 0;\n%"},
	{"%\nj->next = 0;\nif (q->tail)\n  q->tail->next = j;\nelse\n  q->head = j;\nq->tail = j;\n%", "%\nj = q->head;\nif (j)\n  q->head = j->next;\nif (!q->head)\n  q->tail = 0;\n%"},
	{"j->next = 0;\n%\nif (q->head)\n  q->tail->next = j;\nelse\n  q->head = j;\nq->tail = j;\n%", "%\nj = q->head;\nif (j)\n  q->head = j->next;\n%"},
	{"%\nj->next = 0;\nif (q->head)\n  q->tail = q->tail->next = j;\nelse\n  q->head = q->tail = j;\n%", "%\nj = q->head;\nif (j && j != q->tail)\n  q->head = j->next;\nelse\n  q->head = q->tail = 0;\n%"},
	{"%\nj->next = 0;\nif (!q->end)\n  q->end = &q->head;\n*q->end = j;\nq->end = &j->next;\n%", "%\nj = q->head;\nif (j)\n  q->head = j->next;\nif (j && !j->next)\n  q->end = &q->head;\n%"},
	{"%\nif (!q->head)\n  q->head = j;\nelse if (!q->tail)\n  q->tail = j;\n%", "%\nif (q->head) {\n  j = q->head;\n  q->head = 0;\n} else {\n  j = q->tail;\n  q->tail = 0;\n}\n%"},
	{"%\nj->next = q->head;\nq->head = j;\n%", "%\nif (q->head && q->head->next) {\n  j = q->head->next;\n  q->head->next = j->next;\n}\n%"},
	{"%\nq->tail = q->head;\nq->head = j;\n%", "%\nj = q->tail;\nq->tail = 0;\n%"},
}

// queueFunc writes a function of some lines, perhaps changed.
func (g *generator) queueFunc(head, body, last string) {
	lines := strings.Split(body, "\n")
	for i, l := range lines {
		if l == "%" {
			call := "lock"
			if i == len(lines)-1 {
				call = "unlock"
			}
			lock := "&q->m"
			if g.chance(4) {
				lock = "&g0"
			}
			lines[i] = "pthread_mutex_" + call + "(" + lock + ");"
		}
	}
	if g.chance(35) {
		lines = g.mistake(lines)
	}
	if last != "" && g.chance(10) {
		if k := 1 + g.r.IntN(len(lines)-1); between(lines, k) {
			lines = slices.Insert(lines, k, "while (!q->head && q->n)", "  pthread_cond_wait(&q->c, &q->m);")
		}
	}
	g.line("%s", head)
	for _, l := range lines {
		g.line("  %s", l)
	}
	if last != "" {
		g.line("  %s", last)
	}
	g.line("}")
}

// between reports whether a statement may stand before the k-th line: not within another one.
func between(lines []string, k int) bool {
	conditional := func(l string) bool {
		return l == "else" || strings.HasPrefix(l, "if ") || strings.HasPrefix(l, "else if ") || strings.HasPrefix(l, "while ")
	}
	if k > 0 && conditional(lines[k-1]) {
		return false
	}
	return k == len(lines) || !strings.HasPrefix(lines[k], "else") && !strings.HasPrefix(lines[k], " ") && !strings.HasPrefix(lines[k], "struct")
}

// mistake drops, repeats or moves a statement. Those that others depend on stay.
func (g *generator) mistake(lines []string) []string {
	for range 20 {
		i := g.r.IntN(len(lines))
		l := lines[i]
		simple := strings.HasSuffix(l, ";") && !strings.HasPrefix(l, " ") && !strings.HasPrefix(l, "struct") && (i == 0 || lines[i-1] != "else" && !strings.HasPrefix(lines[i-1], "if "))
		if !simple {
			continue
		}
		switch g.r.IntN(4) {
		case 0:
			return slices.Delete(lines, i, i+1)
		case 1:
			return slices.Insert(lines, i, l)
		default:
			lines = slices.Delete(lines, i, i+1)
			for range 20 {
				k := g.r.IntN(len(lines) + 1)
				if between(lines, k) {
					return slices.Insert(lines, k, l)
				}
			}
			return append(lines, l)
		}
	}
	return lines
}

func (g *generator) queueMake(j string) {
	g.line("struct job *%s = %s;", j, g.one("malloc(sizeof(struct job))", "malloc(sizeof(struct job))", "calloc(1, sizeof(struct job))"))
	g.line("%s->x = %d;", j, g.r.IntN(9))
	if g.chance(20) {
		g.line("%s->next = 0;", j)
	}
}

// queueThread writes a thread that puts, takes, or both.
func (g *generator) queueThread(i int, second string) {
	g.line("static void *thread%d(void *arg) {", i)
	g.indent = 1
	g.line("for (int i = 0; i < 3; i++) {")
	g.indent = 2
	kind := i % 2
	if g.chance(25) {
		kind = 2
	}
	to := g.one("&a", "&a", second)
	if kind != 1 {
		g.queueMake("j")
		if g.chance(6) {
			g.line("kept = j;")
		}
		g.line("put(%s, j);", to)
		if g.chance(8) {
			g.line("%s;", g.one("j->x = 2", "sum += j->y", "put("+second+", j)", "j = 0", "put(&a, j)", "free(j)"))
		}
	}
	if kind != 0 {
		g.line("struct job *k = take(%s);", g.one("&a", "&a", to))
		g.line("if (k) {")
		g.indent++
		for range 1 + g.r.IntN(2) {
			g.line("%s;", g.one("k->x++", "k->x = i", "k->y = k->x", "memset(k, 0, sizeof *k)"))
		}
		if g.chance(8) {
			g.line("%s;", g.one("kept = k", "if (k->next) k->next->x = 1", "k->next = 0", "k->next = k"))
		}
		switch g.r.IntN(4) {
		case 0:
			g.line("put(%s, k);", g.one("&a", second, to))
			if g.chance(15) {
				g.line("k->y = 7;")
			}
		case 1:
		default:
			g.line("free(k);")
			if g.chance(5) {
				g.line("put(&a, k);")
			}
		}
		g.indent--
		g.line("}")
	}
	if g.chance(8) {
		g.line("if (kept)")
		g.line("  kept->x = 3;")
	}
	g.indent = 1
	g.line("}")
	g.line("return 0;")
	g.indent = 0
	g.line("}")
}
