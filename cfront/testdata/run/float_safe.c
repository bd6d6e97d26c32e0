// expect: SAFE
#include <pthread.h>
#include <stdio.h>
#include <assert.h>
double total;
int n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) { if (1) pthread_mutex_lock(&m); total += 0.5 * n; n++; if (1) pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  printf("%g\n", total);
  assert(n == 2);
  return 0;
}
