// expect: SAFE
#include <pthread.h>
#include <string.h>
#include <assert.h>
// Copies within one array, of numbers of elements that are not known.
int q[4]; size_t len; pthread_mutex_t m;
void push(int v) { pthread_mutex_lock(&m); q[len++] = v; pthread_mutex_unlock(&m); }
int pop(void) {
  int v = -1;
  pthread_mutex_lock(&m);
  if (len > 0) {
    v = q[0];
    len--;
    memmove(&q[0], &q[1], len * sizeof q[0]);
  }
  pthread_mutex_unlock(&m);
  return v;
}
void *producer(void *p) { push(1); push(2); push(3); return 0; }
int main(void) {
  pthread_t t; int last = 0, v, n = 0;
  pthread_create(&t, 0, producer, 0);
  v = pop();
  if (v > 0) { assert(v == 1); last = v; n++; }
  pthread_join(t, 0);
  while ((v = pop()) != -1) { assert(v == last + 1); last = v; n++; }
  assert(n == 3);
}
