// expect: UNSAFE --check=memory
/* Threads share where memory is, whether it lives, and how much of it there is. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
char *p;
size_t __VERIFIER_nondet_ulong(void);
void put(size_t n) {
  pthread_mutex_lock(&m);
  char *q = realloc(p, n);
  if (q)
    p = q;
  if (p)
    memcpy(p, "x", 2);
  pthread_mutex_unlock(&m);
}
void *thread(void *a) {
  put(3);
  return 0;
}
int main(void) {
  pthread_t t;
  size_t n = __VERIFIER_nondet_ulong();
  if (n < 1 || n > 4)
    return 0;
  pthread_create(&t, 0, thread, 0);
  put(n);
  pthread_join(t, 0);
  free(p);
}
