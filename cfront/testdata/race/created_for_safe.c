// expect: SAFE --check=race
// A function creates threads for others, and joins them; main reads what one has done when it has joined that one, or the other one.
#include <pthread.h>
#include <stdlib.h>
int a, b;
static void *f(void *arg) {
  a++;
  return 0;
}
static void *g(void *arg) {
  b++;
  return 0;
}
static void start(pthread_t *t, void *(*run)(void *)) {
  if (pthread_create(t, 0, run, 0))
    exit(1);
}
int main(void) {
  pthread_t s, t;
  start(&s, f);
  start(&t, g);
  pthread_join(s, 0);
  int n = a;
  pthread_join(t, 0);
  return n + b == 2 ? 0 : 1;
}
