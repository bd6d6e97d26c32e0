package scan_test

import (
	"strings"
	"testing"
)

// kindHeader has containers of a kind: stacks of jobs, each with its own lock.
const kindHeader = `#include <pthread.h>
#include <stdlib.h>
struct job { struct job *next; int x; };
struct box { pthread_mutex_t m; pthread_cond_t c; struct job *head, *last; int n; };
`

// kindProgram is a program in which threads run a loop: work is done with a job j and numbers i and k, boxes says where the boxes are, and begin what main does with them first.
func kindProgram(boxes, functions, begin, work string) string {
	return boxes + functions + `
static void *run(void *arg) {
  unsigned a = (unsigned)(long)arg;
  for (unsigned r = 0; r < 10; r++) {
    unsigned i = (a * 7 + r) % 4, k = (a + r * 3) % 4;
    struct job *j = malloc(sizeof *j);
    if (!j) break;
    j->next = 0; j->x = (int)r;
    ` + work + `
  }
  return 0;
}
int main(void) {
  pthread_t t[3];
  ` + begin + `
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
`
}

// What is done with boxes b: put and get are functions; move takes a job from one box to another one, with the locks of both.
const (
	globalBoxes = "struct box b[4]; "
	boxInit     = "for (int i = 0; i < 4; i++) { pthread_mutex_init(&b[i].m, 0); pthread_cond_init(&b[i].c, 0); } "
	boxPut      = "static void put(struct box *p, struct job *j) { pthread_mutex_lock(&p->m); j->next = p->head; p->head = j; pthread_mutex_unlock(&p->m); } "
	boxGet      = "static struct job *get(struct box *p) { pthread_mutex_lock(&p->m); struct job *j = p->head; if (j) p->head = j->next; pthread_mutex_unlock(&p->m); return j; } "
	boxFind     = "static void find(unsigned i, int x) { struct box *p = &b[i]; pthread_mutex_lock(&p->m); for (struct job *j = p->head; j; j = j->next) if (j->x == x) { j->x++; break; } pthread_mutex_unlock(&p->m); } "
	boxTake     = "static struct job *take(struct box *p, int x) { for (struct job **l = &p->head; *l; l = &(*l)->next) if ((*l)->x == x) { struct job *j = *l; *l = j->next; return j; } return 0; } "
	boxMoved    = "struct job *o = b[i].head; if (o) { b[i].head = o->next; o->next = b[k].head; b[k].head = o; } "
	passOn      = "put(&b[i], j); j = get(&b[k]); if (j) { j->x++; put(&b[(k + 1) % 4], j); }"
	thenFree    = " j = get(&b[k]); if (j) { j->x++; free(j); }"
)

// TestKinds has arrays of containers, each with its own lock, and objects that go from one to another.
func TestKinds(t *testing.T) {
	with := func(functions, work string) string { return kindProgram(globalBoxes, functions, boxInit, work) }
	both := func(lock, unlock string) string {
		return with(boxPut+boxGet, "put(&b[i], j); "+lock+boxMoved+unlock+thenFree)
	}
	const (
		lowHigh   = "unsigned lo = i < k ? i : k, hi = i < k ? k : i; pthread_mutex_lock(&b[lo].m); if (hi != lo) pthread_mutex_lock(&b[hi].m); "
		unLowHigh = "if (hi != lo) pthread_mutex_unlock(&b[hi].m); pthread_mutex_unlock(&b[lo].m);"
		branches  = "if (i < k) { pthread_mutex_lock(&b[i].m); pthread_mutex_lock(&b[k].m); } else if (k < i) { pthread_mutex_lock(&b[k].m); pthread_mutex_lock(&b[i].m); } else pthread_mutex_lock(&b[i].m); "
		unBranch  = "if (i != k) pthread_mutex_unlock(&b[k].m); pthread_mutex_unlock(&b[i].m);"
		addresses = "struct box *p = &b[i], *q = &b[k]; if (p == q) { pthread_mutex_lock(&p->m); } else if (p < q) { pthread_mutex_lock(&p->m); pthread_mutex_lock(&q->m); } else { pthread_mutex_lock(&q->m); pthread_mutex_lock(&p->m); } "
		unAddress = "if (p != q) pthread_mutex_unlock(&q->m); pthread_mutex_unlock(&p->m);"
		removed   = "pthread_mutex_lock(&b[k].m); j = take(&b[k], 3); pthread_mutex_unlock(&b[k].m); if (j) { j->x++; free(j); }"
		fifoPut   = "static void put(struct box *p, struct job *j) { pthread_mutex_lock(&p->m); j->next = 0; if (p->last) p->last->next = j; else p->head = j; p->last = j; pthread_cond_signal(&p->c); pthread_mutex_unlock(&p->m); } "
		fifoGet   = "static struct job *get(struct box *p) { pthread_mutex_lock(&p->m); while (!p->head && !p->n) pthread_cond_wait(&p->c, &p->m); struct job *j = p->head; if (j) { p->head = j->next; if (!p->head) p->last = 0; } pthread_mutex_unlock(&p->m); return j; } "
		tryGet    = "static struct job *get(struct box *p) { if (pthread_mutex_trylock(&p->m)) return 0; struct job *j = p->head; if (j) p->head = j->next; pthread_mutex_unlock(&p->m); return j; } "
		inTable   = "struct table { long n; struct box b[4]; int k; } tab; static void fill(struct table *t, unsigned i, struct job *j) { pthread_mutex_lock(&t->b[i].m); j->next = t->b[i].head; t->b[i].head = j; pthread_mutex_unlock(&t->b[i].m); } "
		fill      = "fill(&tab, i, j); pthread_mutex_lock(&tab.b[k].m); if (tab.b[k].head) tab.b[k].head->x++; pthread_mutex_unlock(&tab.b[k].m);"
	)
	replace := func(s, old, by string) string {
		if !strings.Contains(s, old) {
			t.Fatalf("%q is not in %q", old, s)
		}
		return strings.Replace(s, old, by, 1)
	}
	const kept = "for (int i = 0; i < 4; i++) pthread_mutex_init(&tab.b[i].m, 0); struct job *o = malloc(sizeof *o); if (!o) return 1; o->next = 0; o->x = 0; " +
		"struct box *p = &tab.b[1], *q = &tab.b[2]; pthread_mutex_lock(&p->m); q->head = 0; p->head = o; CLEAR pthread_mutex_unlock(&p->m);"
	used := func(program string) string {
		return replace(program, "for (int i = 0; i < 3; i++) pthread_join", "o->x++; for (int i = 0; i < 3; i++) pthread_join")
	}
	keeps := func(clear string) string {
		boxes := "#include <string.h>\nstruct front { struct job *head; pthread_mutex_t m; }; struct table { long n; struct box b[4]; } tab; "
		return strings.ReplaceAll(kindProgram(boxes, boxPut+boxGet, replace(kept, "CLEAR", clear), strings.ReplaceAll(passOn, "&b[", "&tab.b[")), "struct box", "struct front")
	}
	one := "{ struct box *p = &b[i]; put(p, j); }"
	checkPairs(t, kindHeader, []pair{
		{"passed on", with(boxPut+boxGet, passOn), with(boxPut+boxGet, replace(passOn, "j->x++; put(&b[(k + 1) % 4], j);", "put(&b[(k + 1) % 4], j); j->x++;"))},
		{"put into two", with(boxPut+boxGet, passOn), with(boxPut+boxGet, replace(passOn, "j->x++;", "j->x++; put(&b[(k + 2) % 4], j);"))},
		{"found", with(boxPut+boxFind, one+" find(k, 3);"), with(boxPut+replace(boxFind, "p = &b[i];", "p = &b[i]; struct box *q = &b[i ^ 1];"), replace(one, "put(p, j);", "put(p, j); j->x++;")+" find(k, 3);")},
		{"found with another lock", with(boxPut+boxFind, one+" find(k, 3);"), with(boxPut+replace(boxFind, "pthread_mutex_lock(&p->m);", "pthread_mutex_lock(&b[i ^ 1].m);"), one+" find(k, 3);")},
		{"taken out", with(boxPut+boxGet, one+thenFree), with(boxPut+replace(boxGet, "if (j) p->head = j->next;", "if (j && j->x) p->head = j->next;"), one+thenFree)},
		{"taken out without the lock", with(boxPut+boxGet, one+thenFree), with(boxPut+replace(boxGet, "struct job *j = p->head; if (j) p->head = j->next; pthread_mutex_unlock(&p->m);", "pthread_mutex_unlock(&p->m); struct job *j = p->head; if (j) p->head = j->next;"), one+thenFree)},
		{"tried", with(boxPut+tryGet, one+thenFree), with(boxPut+replace(tryGet, "if (pthread_mutex_trylock(&p->m)) return 0;", "pthread_mutex_trylock(&p->m);"), one+thenFree)},
		{"first in, first out", with(fifoPut+fifoGet, one+thenFree), with(fifoPut+replace(fifoGet, "if (!p->head) p->last = 0;", ""), one+thenFree)},
		{"waits with another lock", with(fifoPut+fifoGet, one+thenFree), with(fifoPut+replace(fifoGet, "pthread_cond_wait(&p->c, &p->m);", "pthread_mutex_unlock(&p->m);"), one+thenFree)},
		{"two locks by numbers", both(lowHigh, unLowHigh), both(replace(lowHigh, "if (hi != lo)", "if (hi > lo + 1)"), replace(unLowHigh, "if (hi != lo)", "if (hi > lo + 1)"))},
		{"two locks in branches", both(branches, unBranch), both(replace(branches, "{ pthread_mutex_lock(&b[k].m); pthread_mutex_lock(&b[i].m); }", "{ pthread_mutex_lock(&b[k].m); }"), replace(unBranch, "pthread_mutex_unlock(&b[i].m);", "if (i <= k) pthread_mutex_unlock(&b[i].m);"))},
		{"two locks by addresses", both(addresses, unAddress), both(replace(addresses, "if (p == q) { pthread_mutex_lock(&p->m); }", "if (q == p + 1 || p == q) { pthread_mutex_lock(&p->m); }"), replace(unAddress, "if (p != q)", "if (q != p + 1 && p != q)"))},
		{"moved, then used", both(lowHigh, unLowHigh), both(lowHigh, unLowHigh+" if (o) o->x++;")},
		{"removed", with(boxPut+boxTake, one+removed), with(boxPut+replace(boxTake, "*l = j->next;", ""), one+removed)},
		{"removed under another lock", with(boxPut+boxTake, one+removed), with(boxPut+boxTake, one+replace(removed, "pthread_mutex_lock(&b[k].m); j = take(&b[k], 3); pthread_mutex_unlock(&b[k].m);", "pthread_mutex_lock(&b[i].m); j = take(&b[k], 3); pthread_mutex_unlock(&b[i].m);"))},
		{"begun with one, which its maker uses", keeps(""), used(keeps(""))},
		{"begun with one, another is cleared by bytes", keeps("q->head = 0;"), used(keeps("memset(&tab, 0, sizeof(long) + sizeof(void *));"))},
		{"with attributes of locks", both("pthread_mutex_lock(&b[i].m); if (i != k) pthread_mutex_lock(&b[k].m); ", "if (i != k) pthread_mutex_unlock(&b[k].m); pthread_mutex_unlock(&b[i].m);"),
			replace(both("pthread_mutex_lock(&b[i].m); pthread_mutex_lock(&b[k].m); struct job *q = b[k].head; ", "if (q && q != b[k].head) q->x++; pthread_mutex_unlock(&b[k].m); pthread_mutex_unlock(&b[i].m);"),
				boxInit, "pthread_mutexattr_t at; pthread_mutexattr_init(&at); *(int *)&at = PTHREAD_MUTEX_RECURSIVE; "+strings.Replace(boxInit, "m, 0)", "m, &at)", 1))},
		{"in a table", kindProgram(inTable, "", "", fill), kindProgram(inTable, "", "", replace(fill, "pthread_mutex_lock(&tab.b[k].m);", "struct box *p = &tab.b[k]; pthread_mutex_lock(&tab.b[i].m);"))},
	})
}

// TestKindsBegun has containers in a local variable, which the first thread has to begin.
func TestKindsBegun(t *testing.T) {
	const (
		start = "static void start(struct table *t) { for (int i = 0; i < 4; i++) { pthread_mutex_init(&t->b[i].m, 0); t->b[i].head = 0; t->b[i].last = 0; } } "
		put   = "static void put(struct table *t, unsigned i, struct job *j) { struct box *p = &t->b[i]; pthread_mutex_lock(&p->m); j->next = p->head; p->head = j; pthread_mutex_unlock(&p->m); } "
		look  = "static void look(struct table *t, unsigned i) { struct box *p = &t->b[i]; pthread_mutex_lock(&p->m); for (struct job *j = p->head; j; j = j->next) j->x++; pthread_mutex_unlock(&p->m); } "
	)
	program := func(start, begin, put string) string {
		return strings.Replace(`struct table { long n; struct box b[4]; };
`+start+put+look+`
struct arg { struct table *t; unsigned a; };
static void *run(void *arg) {
  struct arg *a = arg;
  for (unsigned r = 0; r < 10; r++) {
    struct job *j = malloc(sizeof *j);
    if (!j) break;
    j->x = (int)r;
    put(a->t, (a->a * 7 + r) % 4, j);
    look(a->t, r % 4);
  }
  return 0;
}
int main(void) {
  pthread_t t[3];
  struct arg arg[3];
  struct table tab;
  BEGIN
  for (int i = 0; i < 3; i++) { arg[i].t = &tab; arg[i].a = (unsigned)i; pthread_create(&t[i], 0, run, &arg[i]); }
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
`, "BEGIN", begin, 1)
	}
	const after = "p->head = j; pthread_mutex_unlock(&p->m); j->x++;"
	used := strings.Replace(put, "p->head = j; pthread_mutex_unlock(&p->m);", after, 1)
	checkPairs(t, kindHeader, []pair{
		{"by a function", program(start, "start(&tab);", put), program(start, "start(&tab);", used)},
		{"all of them", program(start, "start(&tab);", put), program(strings.Replace(start, "i < 4", "i < 3", 1), "start(&tab);", put)},
		{"all that is in them", program(start, "start(&tab);", put), program(strings.Replace(start, "t->b[i].head = 0;", "", 1), "start(&tab);", put)},
		{"in main", program("", "for (int i = 0; i < 4; i++) { struct box *p = &tab.b[i]; pthread_mutex_init(&p->m, 0); p->head = p->last = 0; }", put),
			program("", "for (int i = 0; i < 4; i += 2) { struct box *p = &tab.b[i]; pthread_mutex_init(&p->m, 0); p->head = p->last = 0; }", put)},
	})
}
