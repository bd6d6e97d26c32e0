// expect: SAFE --check=memory
/* Another thread gives a local its value; it is read after that thread was joined, or before. */
#include <pthread.h>
#include <stdlib.h>
static void *fill(void *arg) {
  *(int *)arg = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int x, bad = 0;
  pthread_create(&t, 0, fill, &x);
  pthread_join(t, 0);
  if (x > 5)
    bad = 1;
  if (bad)
    abort();
  return 0;
}
