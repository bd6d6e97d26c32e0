package scan_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/scan"
	"comus/scan/pointsto"
)

// project returns a program of n modules, each about a hundred lines: a queue with a lock in a struct from the heap, which a thread
// of the module's own serves, statistics, a table with a lock for each row, and a log that all modules share. It
// has no races.
func project(n int) string {
	var b strings.Builder
	b.WriteString(projectHead)
	for i := range n {
		b.WriteString(strings.ReplaceAll(projectModule, "$", fmt.Sprint(i)))
	}
	b.WriteString("int main(int argc, char **argv) {\n  int n = argc * 3;\n")
	for i := range n {
		fmt.Fprintf(&b, "  begin_%d(n);\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "  for (int i = 0; i < n; i++)\n    offer_%d(i);\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "  end_%d();\n", i)
	}
	b.WriteString("  return lines_logged();\n}\n")
	return b.String()
}

const projectHead = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char log_last[64];
static int log_lines, log_level;
static void log_line(int level, const char *text) {
  if (level < log_level)
    return;
  pthread_mutex_lock(&log_lock);
  strncpy(log_last, text, sizeof log_last - 1);
  log_lines++;
  pthread_mutex_unlock(&log_lock);
}
static int lines_logged(void) {
  pthread_mutex_lock(&log_lock);
  int n = log_lines;
  pthread_mutex_unlock(&log_lock);
  return n;
}
`

const projectModule = `
struct job_$ {
  int kind, weight;
  struct job_$ *next;
};
struct queue_$ {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  struct job_$ *first, *last;
  int length, closed;
  long total;
};
static struct queue_$ *queue_$;
static pthread_t server_$;
static pthread_mutex_t row_locks_$[8];
static int rows_$[8][16];
static struct {
  pthread_rwlock_t lock;
  int served, refused;
} stats_$;
static struct job_$ *make_$(int kind) {
  struct job_$ *j = malloc(sizeof *j);
  if (!j)
    abort();
  j->kind = kind;
  j->weight = kind % 7 + 1;
  j->next = 0;
  return j;
}
static int push_$(struct queue_$ *q, struct job_$ *j) {
  int ok = 0;
  pthread_mutex_lock(&q->lock);
  if (!q->closed) {
    if (q->last)
      q->last->next = j;
    else
      q->first = j;
    q->last = j;
    q->length++;
    ok = 1;
    pthread_cond_signal(&q->filled);
  }
  pthread_mutex_unlock(&q->lock);
  return ok;
}
static struct job_$ *pop_$(struct queue_$ *q) {
  pthread_mutex_lock(&q->lock);
  while (!q->first && !q->closed)
    pthread_cond_wait(&q->filled, &q->lock);
  struct job_$ *j = q->first;
  if (j) {
    q->first = j->next;
    if (!q->first)
      q->last = 0;
    q->length--;
    q->total += j->weight;
  }
  pthread_mutex_unlock(&q->lock);
  return j;
}
static void note_$(int refused) {
  pthread_rwlock_wrlock(&stats_$.lock);
  if (refused)
    stats_$.refused++;
  else
    stats_$.served++;
  pthread_rwlock_unlock(&stats_$.lock);
}
static void enter_$(int row, int weight) {
  if (row < 0 || row >= 8)
    return;
  pthread_mutex_lock(&row_locks_$[row]);
  for (int i = 0; i < 16; i++)
    rows_$[row][i] += weight;
  pthread_mutex_unlock(&row_locks_$[row]);
}
static void *serve_$(void *arg) {
  struct queue_$ *q = arg;
  struct job_$ *j;
  while ((j = pop_$(q))) {
    enter_$(j->kind % 8, j->weight);
    note_$(0);
    if (j->weight > 5)
      log_line(j->kind, "heavy");
    free(j);
  }
  return 0;
}
static void begin_$(int n) {
  struct queue_$ *q = calloc(1, sizeof *q);
  if (!q)
    abort();
  pthread_mutex_init(&q->lock, 0);
  pthread_cond_init(&q->filled, 0);
  pthread_rwlock_init(&stats_$.lock, 0);
  for (int i = 0; i < 8; i++)
    pthread_mutex_init(&row_locks_$[i], 0);
  queue_$ = q;
  pthread_create(&server_$, 0, serve_$, q);
}
static void offer_$(int kind) {
  struct job_$ *j = make_$(kind);
  if (!push_$(queue_$, j)) {
    note_$(1);
    free(j);
  }
}
static void end_$(void) {
  pthread_mutex_lock(&queue_$->lock);
  queue_$->closed = 1;
  pthread_cond_broadcast(&queue_$->filled);
  pthread_mutex_unlock(&queue_$->lock);
  pthread_join(server_$, 0);
  pthread_mutex_destroy(&queue_$->lock);
  free(queue_$);
}
`

// BenchmarkGrowth analyses programs of some sizes. What it reports is in seconds.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{8, 24, 80, 240, 800} {
		text := project(n)
		b.Run(fmt.Sprintf("lines=%d", strings.Count(text, "\n")), func(b *testing.B) {
			var read, pointing, analysing time.Duration
			free, all := 0, 0
			for b.Loop() {
				start := time.Now()
				p, err := cfront.LoadText(b.Context(), command.Invocation{File: "p.c"}, []byte(text), cfront.Options{NoHost: true})
				if err != nil {
					b.Fatal(err)
				}
				read += time.Since(start)
				start = time.Now()
				pts, err := pointsto.Analyse(b.Context(), p.Program)
				if err != nil {
					b.Fatal(err)
				}
				pointing += time.Since(start)
				start = time.Now()
				r, err := scan.Analyse(b.Context(), p.Program, pts, scan.Options{})
				if err != nil {
					b.Fatal(err)
				}
				analysing += time.Since(start)
				free, _ = r.RaceFree()
				all = len(r.Locations)
			}
			each := func(d time.Duration, name string) { b.ReportMetric(d.Seconds()/float64(b.N), name) }
			each(read, "read-s")
			each(pointing, "points-s")
			each(analysing, "scan-s")
			b.ReportMetric(float64(free), "free")
			b.ReportMetric(float64(all), "locations")
		})
	}
}
