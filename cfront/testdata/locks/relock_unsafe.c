// expect: UNSAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void g(void) { pthread_mutex_lock(&m); x++; }
void *f(void *arg) {
  pthread_mutex_lock(&m);
  g();
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
