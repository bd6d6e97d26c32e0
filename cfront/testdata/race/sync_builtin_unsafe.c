// expect: UNSAFE --check=race
// One thread uses __sync_fetch_and_add on a plain int, the other a plain increment.
#include <pthread.h>
int x;
void *f(void *arg) {
  __sync_fetch_and_add(&x, 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x++;
  pthread_join(t, 0);
  return x == 0;
}
