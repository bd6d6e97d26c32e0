package scan_test

import (
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
)

const transferHeader = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct job { int x; struct job *next; char text[8]; };
struct queue { pthread_mutex_t m; struct job *head, *tail; pthread_cond_t c; int n; } q = { PTHREAD_MUTEX_INITIALIZER }, q2 = { PTHREAD_MUTEX_INITIALIZER };
pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
struct job *kept, *slot, *ring[4];
int full;
#define LOCK pthread_mutex_lock(&q.m);
#define UNLOCK pthread_mutex_unlock(&q.m); 
`

// transferring returns a program with two producers and two consumers: put has a job j, take gets one.
func transferring(put, take string) string { return transferringBy("", put, take, "j->x++; free(j);") }

func transferringBy(more, put, take, use string) string {
	return more + `
static void *producer(void *arg) {
  for (;;) {
    struct job *j = malloc(sizeof *j);
    j->x = 1;
    ` + put + `
  }
  return 0;
}
static void *consumer(void *arg) {
  for (;;) {
    struct job *j = 0;
    ` + take + `
    if (j) { ` + use + ` }
  }
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 2; i++) {
    pthread_create(&t[i], 0, producer, 0);
    pthread_create(&t[i + 2], 0, consumer, 0);
  }
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  return 0;
}
`
}

const (
	stackPut  = "LOCK j->next = q.head; q.head = j; UNLOCK"
	stackTake = "LOCK j = q.head; if (j) q.head = j->next; UNLOCK"
	slotPut   = "LOCK if (!slot) slot = j; UNLOCK"
	slotTake  = "LOCK j = slot; slot = 0; UNLOCK"
	fifoPut   = "LOCK j->next = 0; if (q.tail) q.tail->next = j; else q.head = j; q.tail = j; UNLOCK"
	fifoTake  = "LOCK j = q.head; if (j) { q.head = j->next; if (!q.head) q.tail = 0; } UNLOCK"
)

// transfers are programs in which containers transfer the ownership of objects, in right ways and in wrong ones. Those that are right and not proved say so.
var transfers = []struct {
	name, src string
	proved    bool
}{
	{"a slot", transferring(slotPut, slotTake), true},
	{"a stack", transferring(stackPut, stackTake), true},
	{"a queue", transferring(fifoPut, fifoTake), true},
	{"the last one written first", transferring("LOCK j->next = 0; if (!q.head) q.head = q.tail = j; else { q.tail->next = j; q.tail = j; } UNLOCK", fifoTake), true},
	{"the last one dangles", transferring("LOCK j->next = 0; if (!q.head) q.head = j; else q.tail->next = j; q.tail = j; UNLOCK", stackTake), true},
	{"the last one dangles, and is used", transferring(fifoPut, stackTake), false},
	{"the last one is compared", transferring(fifoPut, "LOCK j = q.head; if (j) { if (j == q.tail) q.head = q.tail = 0; else q.head = j->next; } UNLOCK"), true},
	{"the last one is compared wrongly", transferring(fifoPut, "LOCK j = q.head; if (j) { if (j != q.tail) q.head = q.tail = 0; else q.head = j->next; } UNLOCK"), false},
	{"the address of the last link", transferringBy("struct job *first, **last = 0; struct job *more;", "LOCK j->next = 0; if (!last) last = &first; *last = j; last = &j->next; UNLOCK", "LOCK j = first; if (j) { first = j->next; if (!first) last = &first; } UNLOCK", "j->x++; free(j);"), true},
	{"the address of the last link, in a struct, from the beginning", transferringBy("struct { int n; struct job *first, **last; } w = {0, 0, &w.first};", "LOCK j->next = 0; *w.last = j; w.last = &j->next; UNLOCK", "LOCK j = w.first; if (j) { w.first = j->next; if (!w.first) w.last = &w.first; } UNLOCK", "j->x++; free(j);"), true},
	{"the address of the last link, in a struct, from main", transferringBy("struct { struct job *first, **last; } w = {0, &w.first};", "LOCK j->next = 0; *w.last = j; w.last = &j->next; UNLOCK", "LOCK if ((j = w.first) && !(w.first = j->next)) w.last = &w.first; UNLOCK", "j->x++; free(j);"), true},
	{"from the beginning that of another cell", transferringBy("struct { struct job *second, *first, **last; } w = {0, 0, &w.second};", "LOCK j->next = 0; *w.last = j; w.last = &j->next; UNLOCK", "LOCK j = w.second; if (j) w.second = j->next; else if ((j = w.first)) w.first = j->next; UNLOCK", "j->x++; free(j);"), false},
	{"not reset in a struct", transferringBy("struct { struct job *first, **last; } w = {0, &w.first};", "LOCK j->next = 0; *w.last = j; w.last = &j->next; UNLOCK", "LOCK j = w.first; if (j) w.first = j->next; UNLOCK", "j->x++; free(j);"), false},
	{"the address of the last link stays", transferringBy("struct job *first, **last = 0;", "LOCK j->next = 0; if (!last) last = &first; *last = j; last = &j->next; UNLOCK", "LOCK j = first; if (j) first = j->next; UNLOCK", "j->x++; free(j);"), false},
	{"at the end of a list", transferring("LOCK j->next = 0; if (!q.head) q.head = j; else { struct job *l = q.head; while (l->next) l = l->next; l->next = j; } UNLOCK", stackTake), true},
	{"used after it was put", transferring(stackPut+" j->x = 2;", stackTake), false},
	{"read after it was put", transferring(fifoPut+" full = j->x;", fifoTake), false},
	{"used under the lock after it was put", transferring("LOCK j->next = q.head; q.head = j; j->x = 2; UNLOCK", stackTake), true},
	{"put twice", transferring(stackPut+" "+stackPut, stackTake), false},
	{"put twice into a slot", transferring(slotPut+" "+slotPut, slotTake), false},
	{"not taken out", transferring(slotPut, "LOCK j = slot; UNLOCK"), false},
	{"looked at", transferring(stackPut, "LOCK j = q.head; UNLOCK"), false},
	{"looked at under the lock", transferringBy("", stackPut, "LOCK if (q.head) q.head->x++; UNLOCK", "j->x++;"), true},
	{"looked at, then taken", transferring(stackPut, "LOCK j = q.head; UNLOCK LOCK if (j) q.head = j->next; UNLOCK"), false},
	{"looked at, then taken if it is still there", transferring(slotPut, "LOCK j = slot; UNLOCK LOCK if (j && slot == j) slot = 0; else j = 0; UNLOCK"), false}, // right, but not proved
	{"compared with what was freed", transferringBy("", stackPut, stackTake, "free(j); struct job *k = malloc(sizeof *k); LOCK k->next = q.head; q.head = k; UNLOCK if (k == j) k->x = 3;"), false},
	{"looked at, then taken though it is not there", transferring(slotPut, "LOCK j = slot; UNLOCK LOCK if (slot == j) slot = 0; UNLOCK"), false},
	{"taken without the lock", transferring(slotPut, "j = slot; slot = 0;"), false},
	{"taken under another lock", transferring(slotPut, "pthread_mutex_lock(&other); j = slot; slot = 0; pthread_mutex_unlock(&other);"), false},
	{"put under another lock", transferring("pthread_mutex_lock(&other); slot = j; pthread_mutex_unlock(&other);", slotTake), false},
	{"tried", transferring(slotPut, "if (pthread_mutex_trylock(&q.m) == 0) { j = slot; slot = 0; UNLOCK }"), true},
	{"tried in vain", transferring(slotPut, "if (pthread_mutex_trylock(&q.m) != 0) { j = slot; slot = 0; UNLOCK }"), false},
	{"an alias that is used", transferring("kept = j; "+slotPut, slotTake+" if (kept) kept->x = 3;"), false},
	{"an alias that is not used", transferring("kept = j; "+slotPut, slotTake), true},
	{"an alias in the other one", transferring("LOCK kept = slot; slot = j; UNLOCK", "LOCK j = slot; slot = 0; UNLOCK"), true},
	{"an alias that was taken", transferring("LOCK kept = slot; slot = j; UNLOCK", "LOCK j = slot; slot = 0; UNLOCK LOCK struct job *k = kept; UNLOCK if (k) k->x = 1;"), false},
	{"two slots", transferring("LOCK slot = j; kept = j; UNLOCK", "LOCK if (slot) { j = slot; slot = 0; } else { j = kept; kept = 0; } UNLOCK"), false},
	{"one of two slots", transferring("LOCK if (!slot) slot = j; else if (!kept) kept = j; UNLOCK", "LOCK if (slot) { j = slot; slot = 0; } else { j = kept; kept = 0; } UNLOCK"), true},
	{"two queues", transferring("LOCK j->next = q.head; q.head = j; UNLOCK pthread_mutex_lock(&q2.m); j->next = q2.head; q2.head = j; pthread_mutex_unlock(&q2.m);", stackTake), false},
	{"from one into another", transferring(stackPut, stackTake+" if (j) { j->x = 4; pthread_mutex_lock(&q2.m); j->next = q2.head; q2.head = j; pthread_mutex_unlock(&q2.m); j = 0; } pthread_mutex_lock(&q2.m); j = q2.head; if (j) q2.head = j->next; pthread_mutex_unlock(&q2.m);"), true},
	{"freed twice", transferringBy("", stackPut, stackTake, "free(j); free(j);"), false},
	{"used after it was freed and put", transferringBy("", slotPut, slotTake, "LOCK slot = j; UNLOCK free(j);"), false},
	{"waits in between", transferring(slotPut, "LOCK while (!slot) pthread_cond_wait(&q.c, &q.m); j = slot; slot = 0; UNLOCK"), true},
	{"waits with it", transferring(slotPut, "LOCK j = slot; pthread_cond_wait(&q.c, &q.m); slot = 0; UNLOCK"), false},
	{"waits while it is linked", transferring(stackPut, "LOCK j = q.head; while (!j) { pthread_cond_wait(&q.c, &q.m); j = q.head; } q.head = j->next; UNLOCK"), true},
	{"waits, then unlinks what it was", transferring(stackPut, "LOCK j = q.head; pthread_cond_wait(&q.c, &q.m); if (j) q.head = j->next; UNLOCK"), false},
	{"unlinked later", transferring(stackPut, "struct job *n = 0; LOCK j = q.head; if (j) n = j->next; UNLOCK LOCK q.head = n; UNLOCK"), false},
	{"the next one is kept", transferring(stackPut, "struct job *n = 0; LOCK j = q.head; if (j) { n = j->next; q.head = n; } UNLOCK if (n) n->x = 1;"), false},
	{"the old link is followed", transferring(stackPut, stackTake+" if (j && j->next) j->next->x = 1;"), false},
	{"the second one is taken", transferring(stackPut, "LOCK if (q.head && q.head->next) { j = q.head->next; q.head->next = j->next; } UNLOCK"), true},
	{"the second one is taken, and not unlinked", transferring(stackPut, "LOCK if (q.head && q.head->next) j = q.head->next; UNLOCK"), false},
	{"the next one is skipped", transferring(stackPut, "LOCK j = q.head; if (j && j->next) q.head = j->next->next; UNLOCK"), false},
	{"by functions", transferringBy("static void add(struct queue *p, struct job *j) { pthread_mutex_lock(&p->m); j->next = p->head; p->head = j; pthread_mutex_unlock(&p->m); } static struct job *get(struct queue *p) { struct job *j; pthread_mutex_lock(&p->m); j = p->head; if (j) p->head = j->next; pthread_mutex_unlock(&p->m); return j; }", "add(&q, j);", "j = get(&q);", "j->x++; free(j);"), true},
	{"by functions, of which one forgets", transferringBy("static void add(struct queue *p, struct job *j) { pthread_mutex_lock(&p->m); j->next = p->head; p->head = j; pthread_mutex_unlock(&p->m); } static struct job *get(struct queue *p) { struct job *j; pthread_mutex_lock(&p->m); j = p->head; if (j && !p->n) p->head = j->next; pthread_mutex_unlock(&p->m); return j; }", "add(&q, j);", "j = get(&q);", "j->x++; free(j);"), false},
	{"given back to the queue", transferringBy("", fifoPut, fifoTake, "j->x++; "+fifoPut), true},
	{"given back, then used", transferringBy("", fifoPut, fifoTake, fifoPut+" j->x++;"), false},
	{"at the address of one that was freed", transferringBy("", slotPut, slotTake, "free(j); LOCK UNLOCK struct job *r = malloc(sizeof *r), *k; int same = r == j; if (!r) return 0; r->x = 0; LOCK slot = r; UNLOCK LOCK k = slot; slot = 0; UNLOCK if (same) k = r; if (k) k->x = 1;"), false},
	{"told by the address of one that was freed", transferringBy("", slotPut, slotTake, "free(j); LOCK UNLOCK struct job *r = malloc(sizeof *r), *k; int same = r == j; if (!r) return 0; r->x = 0; LOCK slot = r; UNLOCK LOCK k = slot; slot = 0; UNLOCK if (same) k = 0; if (k) k->x = 1;"), true},
	{"with a text", transferringBy("", "memset(j->text, 0, sizeof j->text); "+stackPut, stackTake, "strcpy(j->text, \"a\"); free(j);"), true},
	{"taken as a whole", transferring(stackPut, "LOCK j = q.head; q.head = 0; UNLOCK while (j && j->next) { struct job *n = j->next; j->x = 1; j = n; }"), false},                                              // right, but not proved
	{"empty by a flag", transferring("LOCK if (!full) { slot = j; full = 1; } UNLOCK", "LOCK if (full) { j = slot; full = 0; } UNLOCK"), false},                                                                // right, but not proved
	{"a ring", transferring("LOCK if (!ring[full & 3]) ring[full++ & 3] = j; UNLOCK", "LOCK j = ring[q.n & 3]; ring[q.n & 3] = 0; if (j) q.n++; UNLOCK"), false},                                               // right, but not proved
	{"a queue with a length", transferring("LOCK j->next = 0; if (q.n) q.tail->next = j; else q.head = j; q.tail = j; q.n++; UNLOCK", "LOCK if (q.n) { j = q.head; q.head = j->next; q.n--; } UNLOCK"), false}, // right, but not proved
}

// TestTransfer has those proved that are right.
func TestTransfer(t *testing.T) {
	for _, c := range transfers {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 7)
			p := load(t, text(t, transferHeader+c.src))
			r, err := scan.Analyse(t.Context(), p.Program, nil, scan.Options{Certificate: true})
			if err != nil {
				t.Fatal(err)
			}
			report, err := scancheck.Check(t.Context(), p.Program, r.Points, r.Certificate)
			if err != nil {
				t.Fatal(err)
			}
			proved, found := true, false
			for i, l := range r.Locations {
				if !strings.Contains(l.Name, "(malloc at") {
					continue
				}
				found = true
				proved = proved && l.Why != scan.Suspected
				if (l.Why != scan.Suspected) != report.Certified(i) && c.proved {
					t.Errorf("%s: %s, but %s", l.Name, l.Why, report.Wrong[i])
				}
			}
			if proved != c.proved || !found {
				t.Errorf("proved: %v", proved)
			}
		})
	}
}
