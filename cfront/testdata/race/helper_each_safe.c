// expect: SAFE --check=race
// Two threads call a function with an object each, or with the same one.
#include <pthread.h>
struct count { long n, all; } a, b;
static void add(struct count *c, long n) { c->n++; c->all += n; }
static void twice(struct count *c) {
  add(c, 1);
  add(c, 2);
}
static void *f(void *arg) {
  twice(&a);
  return 0;
}
static void *g(void *arg) {
  add(&b, 3);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return a.all + b.all == 6 ? 0 : 1;
}
