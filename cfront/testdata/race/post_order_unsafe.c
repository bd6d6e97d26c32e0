// expect: UNSAFE --check=race
// A wait for a semaphore is ordered behind the posts before, another post is not.
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
sem_t s;
atomic_int done;
int x;
void *f(void *arg) {
  x = 1;
  sem_post(&s);
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return arg;
}
void *g(void *arg) {
  if (atomic_load_explicit(&done, memory_order_relaxed)) {
    sem_post(&s);
    x = 2;
  }
  return arg;
}
int main(void) {
  pthread_t p, t;
  sem_init(&s, 0, 0);
  pthread_create(&p, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(p, 0);
  pthread_join(t, 0);
  return 0;
}
