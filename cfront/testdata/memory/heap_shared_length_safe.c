// expect: SAFE --check=memory
/* Threads share where memory is, whether it lives, and how much of it there is. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
char *p;
_Bool __VERIFIER_nondet_bool(void);
void *thread(void *a) {
  pthread_mutex_lock(&m);
  if (p)
    memcpy(p, "x", 2);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  p = malloc(__VERIFIER_nondet_bool() ? 2 : 3);
  pthread_create(&t, 0, thread, 0);
  pthread_mutex_lock(&m);
  free(p);
  p = 0;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
