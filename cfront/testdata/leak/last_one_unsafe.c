// expect: UNSAFE --check=leak
/* Two threads store what they allocate in one place; the second one frees what is there, or overwrites it. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *slot;
static void *thread(void *arg) {
  void *p = malloc(4), *old;
  pthread_mutex_lock(&m);
 old = 0;
  slot = p;
  pthread_mutex_unlock(&m);
  free(old);
  return arg;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, thread, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  free(slot);
  return 0;
}
