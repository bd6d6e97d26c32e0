// robust: none
// A semaphore that is full tells of another post, and a post that fails synchronises with nobody.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int x;
static sem_t s;

static void *a(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  sem_post(&s);
  return p;
}

static void *b(void *p) {
  if (sem_post(&s))
    assert(atomic_load_explicit(&x, memory_order_relaxed));
  return p;
}

int main(void) {
  pthread_t t, u;
  sem_init(&s, 0, 0x7ffffffe);
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
