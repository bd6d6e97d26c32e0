package scan_test

import (
	"strings"
	"testing"
)

// TestCountedCreated has references that the first thread leaves to threads which a function creates and joins that does nothing else.
func TestCountedCreated(t *testing.T) {
	const src = `
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct ob { atomic_int refs; int v; };
pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
struct ob *c1, *c2;
static void drop(struct ob *o) { if (atomic_fetch_sub(&o->refs, 1) == 1) { o->v++; free(o); } }
static struct ob *make(void) { struct ob *o = malloc(sizeof *o); o->v = 1; atomic_init(&o->refs, 1); return o; }
static void *work(void *a) {
  struct ob *n = make(), *o;
  pthread_mutex_lock(&m1); o = c1; c1 = n; pthread_mutex_unlock(&m1);
  if (o) drop(o);
  n = make();
  pthread_mutex_lock(&m2); o = c2; c2 = n; pthread_mutex_unlock(&m2);
  if (o) drop(o);
  return 0;
}
static void run(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  struct ob *j = make();
  c1 = j;
  c2 = j;
  run();
}
`
	checkPairs(t, "", []pair{{"in two cells", strings.Replace(src, "c2 = j;", "", 1), src}})
}
