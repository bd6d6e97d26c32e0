// Threads: results, ids, who ends when.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static int x;
static pthread_t first;

static void deep(void *p) { pthread_exit(p); }

static void *returns(void *p) { return p; }
static void *exits(void *p) { deep(p); return 0; }
static void *joins(void *p) {
  void *r;
  assert(pthread_join(*(pthread_t *)p, &r) == 0 && r == (void *)5);
  x = 1;
  return 0;
}
static void *detaches(void *p) { assert(pthread_detach(pthread_self()) == 0); return p; }
static void *same(void *p) {
  while (!__atomic_load_n((pthread_t *)p, __ATOMIC_SEQ_CST)) /* the id may be stored later */
    ;
  assert(pthread_equal(*(pthread_t *)p, pthread_self()));
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  void *r;
  assert(pthread_join(pthread_self(), 0) == EDEADLK);
  pthread_create(&a, 0, returns, (void *)5);
  pthread_create(&b, 0, joins, &a);
  assert(pthread_join(b, &r) == 0 && r == 0 && x == 1);
  pthread_create(&a, 0, exits, &x);
  assert(pthread_join(a, &r) == 0 && r == &x);
  pthread_create(&c, 0, detaches, 0);
  pthread_create(&first, 0, same, &first);
  int t = pthread_tryjoin_np(first, 0);
  assert(t == 0 || t == EBUSY);
  if (t)
    pthread_join(first, 0);
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_create(&c, &attr, returns, 0);
  return 0;
}
