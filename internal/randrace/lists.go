package randrace

import "math/rand/v2"

// Lists writes a program with threads that put objects into lists under a lock, in the middle too, and take some of them out at once, perhaps with mistakes.
func Lists(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 34))}
	g.text(queuesHead)
	form := g.r.IntN(len(listForms))
	put, takes := listForms[form].put, listForms[form].takes
	if g.chance(8) {
		put = listForms[g.r.IntN(len(listForms))].put
	}
	several := g.chance(70)
	take := takes[g.r.IntN(len(takes))]
	if !several {
		take = listOne[g.r.IntN(len(listOne))]
	}
	g.queueFunc("static void put(struct queue *q, struct job *j) {\n  struct job **p = &q->head, *l = 0, *n = 0;", put, "")
	g.queueFunc("static struct job *take(struct queue *q) {", "struct job **p = &q->head, *l = 0, *j = 0;\n"+take, "return j;")
	threads := 2 + g.r.IntN(2)
	for i := range threads {
		g.listThread(i, several)
	}
	g.line("int main(void) {")
	g.indent = 1
	g.line("pthread_t t[8];")
	g.line("int n = 0;")
	for i := range threads {
		g.line("pthread_create(&t[n++], 0, thread%d, 0);", i)
		if g.chance(40) {
			g.line("pthread_create(&t[n++], 0, thread%d, 0);", i)
		}
	}
	g.line("while (n > 0)")
	g.line("  pthread_join(t[--n], 0);")
	g.line("return 0;")
	g.indent = 0
	g.line("}")
	return g.out.String()
}

const (
	listWalk   = "p = &q->head;\nwhile (*p && (*p)->x < 4)\n  p = &(*p)->next;\n"
	listAll    = "%\nj = q->head;\nq->head = 0;\n%"
	listPrefix = "%\n" + listWalk + "if (p != &q->head)\n  j = q->head;\nif (j) {\n  q->head = *p;\n  *p = 0;\n}\n%"
	listSuffix = "%\n" + listWalk + "j = *p;\n*p = 0;\n%"
	listRest   = "%\nif (q->head) {\n  j = q->head->next;\n  q->head->next = 0;\n}\n%"
)

// listForms are ways to put an object j into a list, and to take a list out of it.
var listForms = []struct {
	put   string
	takes []string
}{
	{"%\nj->next = q->head;\nq->head = j;\n%", []string{listAll, listAll, listPrefix, listSuffix, listRest}},
	{"%\np = &q->head;\nwhile (*p && (*p)->x < j->x)\n  p = &(*p)->next;\nj->next = *p;\n*p = j;\n%", []string{listAll, listPrefix, listSuffix, listRest}},
	{"%\nn = q->head;\nwhile (n && n->x < j->x) {\n  l = n;\n  n = n->next;\n}\nj->next = n;\nif (l)\n  l->next = j;\nelse\n  q->head = j;\n%", []string{listAll, listPrefix, listSuffix}},
	{"j->next = 0;\n%\np = &q->head;\nwhile (*p)\n  p = &(*p)->next;\n*p = j;\n%", []string{listAll, listPrefix, listRest}},
	{"j->next = 0;\n%\nif (q->head)\n  q->tail->next = j;\nelse\n  q->head = j;\nq->tail = j;\n%", []string{listAll, "%\nj = q->head;\nq->head = 0;\nq->tail = 0;\n%"}},
	{"%\nj->next = 0;\nif (!q->end)\n  q->end = &q->head;\n*q->end = j;\nq->end = &j->next;\n%", []string{"%\nj = q->head;\nq->head = 0;\nq->end = &q->head;\n%"}},
}

// listOne are ways to take one object out of a list.
var listOne = []string{
	"%\np = &q->head;\nwhile (*p && (*p)->x != 3)\n  p = &(*p)->next;\nj = *p;\nif (j)\n  *p = j->next;\n%",
	"%\nj = q->head;\nwhile (j && j->x != 3) {\n  l = j;\n  j = j->next;\n}\nif (j && l)\n  l->next = j->next;\nelse if (j)\n  q->head = j->next;\n%",
	"%\np = &q->head;\nwhile (*p && (*p)->next)\n  p = &(*p)->next;\nj = *p;\n*p = 0;\n%",
	"%\nj = q->head;\nif (j && j->next) {\n  struct job *m = j->next;\n  j->next = m->next;\n  j = m;\n} else if (j)\n  q->head = 0;\n%",
}

// listThread writes a thread that puts objects into a list, or takes some out, or one.
func (g *generator) listThread(i int, several bool) {
	g.line("static void *thread%d(void *arg) {", i)
	g.indent = 1
	g.line("for (int i = 0; i < 4; i++) {")
	g.indent = 2
	if i%2 == 0 || g.chance(25) {
		g.queueMake("j")
		if g.chance(5) {
			g.line("kept = j;")
		}
		g.line("put(&a, j);")
		if g.chance(6) {
			g.line("%s;", g.one("j->x = 2", "sum += j->y", "put(&a, j)", "free(j)", "j->next = 0"))
		}
	}
	if i%2 == 1 || g.chance(25) {
		g.line("struct job *k = take(&a);")
		if several {
			g.listUse()
		} else {
			g.line("if (k) {")
			g.line("  %s;", g.one("k->x++", "k->y = k->x", "k->next = 0"))
			g.line("  %s;", g.one("free(k)", "free(k)", "put(&a, k)", "put(&b, k)"))
			if g.chance(6) {
				g.line("  %s;", g.one("k->x = 1", "put(&a, k)", "kept = k"))
			}
			g.line("}")
		}
	}
	if g.chance(6) {
		g.line("if (kept)")
		g.line("  kept->x = 3;")
	}
	g.indent = 1
	g.line("}")
	g.line("return 0;")
	g.indent = 0
	g.line("}")
}

// listUse writes what is done with a list k that was taken out.
func (g *generator) listUse() {
	switch g.r.IntN(5) {
	case 0:
		g.line("for (struct job *n = k; n; n = n->next)")
		g.line("  n->x++;")
	case 1:
		g.line("struct job *r = 0;")
		g.line("while (k) {")
		g.line("  struct job *n = k->next;")
		g.line("  k->next = r;")
		g.line("  r = k;")
		g.line("  k = n;")
		g.line("}")
		g.line("k = r;")
	}
	if g.chance(20) {
		g.line("if (k) {")
		g.line("  struct job *l = k;")
		g.line("  while (l->next)")
		g.line("    l = l->next;")
		g.line("  pthread_mutex_lock(&a.m);")
		g.line("  %s;", g.one("l->next = a.head", "l->next = a.head", "if (a.head) a.head->next = k", "l->next = k"))
		g.line("  a.head = %s;", g.one("k", "k", "k", "l", "k->next"))
		g.line("  pthread_mutex_unlock(&a.m);")
		g.line("  %s;", g.one("k = 0", "k = 0", "k = 0", "k->next = 0", "l->x = 1"))
		g.line("}")
	}
	if g.chance(8) {
		g.line("%s;", g.one("put(&a, k)", "kept = k", "if (k) k->next = 0", "struct job *o = take(&a); if (o) o->next = k", "if (k) free(k)", "if (k && k->next) put(&a, k->next)"))
	}
	lines := []string{"struct job *n = k->next;", g.one("k->x++;", "k->y = k->x;", "sum2 += k->x;"), g.one("free(k);", "free(k);", "put(&a, k);", "put(&b, k);"), "k = n;"}
	if g.chance(12) {
		lines[1], lines[2] = lines[2], lines[1]
	}
	if g.chance(8) {
		lines[3] = g.one("k = n ? n->next : 0;", "k = k->next;", "k = 0;")
	}
	g.line("int sum2 = 0;")
	g.line("while (k) {")
	for _, l := range lines {
		g.line("  %s", l)
	}
	g.line("}")
}
