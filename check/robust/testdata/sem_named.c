// robust: none
// Whether there is a semaphore of a name tells what another thread did; to look for it synchronises with nobody.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int x;

static void *a(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  sem_open("/a", O_CREAT, 0600, 0);
  return p;
}

static void *b(void *p) {
  if (sem_open("/a", 0) != SEM_FAILED)
    assert(atomic_load_explicit(&x, memory_order_relaxed));
  return p;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
