// expect: UNSAFE --check=race
// A sequence counter guards plain data, whose speculative read races.
#include <pthread.h>
#include <stdatomic.h>
atomic_int seq;
int data;
void *f(void *arg) {
  atomic_fetch_add(&seq, 1);
  data = 5;
  atomic_fetch_add(&seq, 1);
  return 0;
}
int main(void) {
  pthread_t t;
  int r = 0;
  pthread_create(&t, 0, f, 0);
  int before = atomic_load(&seq);
  int v = data;
  if (before % 2 == 0 && atomic_load(&seq) == before)
    r = v;
  pthread_join(t, 0);
  return r == 1;
}
