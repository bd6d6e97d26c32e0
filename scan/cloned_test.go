package scan_test

import (
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/cir/cloning"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/pointsto"
)

// clonedFree reports whether the checker confirms that the program with copies (cir/cloning) has no race.
func clonedFree(t *testing.T, src string) bool {
	t.Helper()
	p := cloning.Of(load(t, text(t, src)).Program)
	pts, err := pointsto.AnalyseOpen(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := scancheck.Check(t.Context(), p, pts, r.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	return rep.RaceFree() == nil
}

// TestClonedContainers has pipelines with a few queues that functions are given, each with its own lock.
func TestClonedContainers(t *testing.T) {
	const program = `#include <pthread.h>
#include <stdlib.h>
struct item { struct item *next; int x; };
struct queue { pthread_mutex_t m; pthread_cond_t c; struct item *head, **slot; int n, in, out, over; };
struct line { struct queue one, two; int got; } w;
static int start(struct queue *q) { q->head = 0; q->n = q->in = q->out = 0; q->slot = calloc(4, sizeof *q->slot); pthread_mutex_init(&q->m, 0); return q->slot ? 0 : -1; }
PUT
GET
static void over(struct queue *q) { pthread_mutex_lock(&q->m); q->over = 1; pthread_cond_broadcast(&q->c); pthread_mutex_unlock(&q->m); }
static void *make(void *arg) { struct line *p = arg; for (int i = 0; i < 9; i++) { struct item *j = malloc(sizeof *j); if (!j) break; j->x = i; put(&p->one, j); } over(&p->one); return 0; }
static void *work(void *arg) { struct line *p = arg; struct item *j; while ((j = get(&p->one))) { WORK } return 0; }
static void *last(void *arg) { struct line *p = arg; struct item *j; while ((j = get(&p->two))) { p->got += j->x; free(j); } return 0; }
int main(void) {
  pthread_t a, b[2], c;
  if (start(&w.one) || start(&w.two)) return 1;
  pthread_create(&a, 0, make, &w);
  for (int i = 0; i < 2; i++) pthread_create(&b[i], 0, work, &w);
  pthread_create(&c, 0, last, &w);
  pthread_join(a, 0);
  for (int i = 0; i < 2; i++) pthread_join(b[i], 0);
  over(&w.two);
  pthread_join(c, 0);
  return w.got;
}
`
	const (
		put   = "static void put(struct queue *q, struct item *j) { pthread_mutex_lock(&q->m); j->next = q->head; q->head = j; pthread_cond_signal(&q->c); pthread_mutex_unlock(&q->m); }"
		get   = "static struct item *get(struct queue *q) { pthread_mutex_lock(&q->m); while (!q->head && !q->over) pthread_cond_wait(&q->c, &q->m); struct item *j = q->head; if (j) q->head = j->next; pthread_mutex_unlock(&q->m); return j; }"
		ring  = "static void put(struct queue *q, struct item *j) { pthread_mutex_lock(&q->m); while (q->n == 4) pthread_cond_wait(&q->c, &q->m); q->slot[q->in] = j; q->in = (q->in + 1) % 4; q->n++; pthread_cond_broadcast(&q->c); pthread_mutex_unlock(&q->m); }"
		taken = "static struct item *get(struct queue *q) { struct item *j = 0; pthread_mutex_lock(&q->m); while (q->n == 0 && !q->over) pthread_cond_wait(&q->c, &q->m); if (q->n > 0) { j = q->slot[q->out]; q->slot[q->out] = 0; q->out = (q->out + 1) % 4; q->n--; pthread_cond_broadcast(&q->c); } pthread_mutex_unlock(&q->m); return j; }"
		work  = "j->x++; put(&p->two, j);"
	)
	for i, c := range []struct {
		name, put, get, work string
		old, by              string // what the unsafe one has instead
	}{
		{"lists, used after", put, get, work, "j->x++; put(&p->two, j);", "put(&p->two, j); j->x++;"},
		{"lists, not taken out", put, get, work, "if (j) q->head = j->next;", "if (j && j->x) q->head = j->next;"},
		{"rings, used after", ring, taken, work, "j->x++; put(&p->two, j);", "put(&p->two, j); j->x++;"},
		{"rings, put twice", ring, taken, work, "j->x++;", "j->x++; put(&p->one, j);"},
	} {
		if !long.Turn(i, 4) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			src := strings.NewReplacer("PUT", c.put, "GET", c.get, "WORK", c.work).Replace(program)
			if !clonedFree(t, src) {
				t.Error("the safe one is not certified")
			}
			if clonedFree(t, strings.Replace(src, c.old, c.by, 1)) {
				t.Error("the unsafe one is certified")
			}
		})
	}
}
