// expect: SAFE --check=race
// A barrier separates what each thread writes from what it reads of the other.
#include <pthread.h>
pthread_barrier_t b;
int a[2], r[2];
void *f(void *arg) {
  long id = (long)arg;
  a[id] = 1;
  pthread_barrier_wait(&b);
  r[id] = a[1 - id];
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, f, (void *)1);
  f((void *)0);
  pthread_join(t, 0);
  pthread_barrier_destroy(&b);
  return 0;
}
