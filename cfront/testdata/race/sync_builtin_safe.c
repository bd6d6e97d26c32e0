// expect: SAFE --check=race
// Both threads use __sync_fetch_and_add on a plain int.
#include <pthread.h>
int x;
void *f(void *arg) {
  __sync_fetch_and_add(&x, 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  __sync_fetch_and_add(&x, 1);
  pthread_join(t, 0);
  return x == 0;
}
