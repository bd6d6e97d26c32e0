// expect: SAFE --check=race
// An atomic counter gives each thread its own element.
#include <pthread.h>
#include <stdatomic.h>
atomic_int next;
int data[2];
void *f(void *arg) {
  int i = atomic_fetch_add(&next, 1);
  data[i]++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
