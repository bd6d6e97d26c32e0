// expect: SAFE --check=locks
/* A spin lock in allocated memory is initialised by the thread that locks it; in the unsafe one by the other one, which may find it held. */
#include <pthread.h>
#include <stdlib.h>
struct counter {
  pthread_spinlock_t l;
  int n;
};
static void *other(void *arg) {
  struct counter *c = arg;
  pthread_spin_lock(&c->l);
  c->n++;
  pthread_spin_unlock(&c->l);
  return 0;
}
int main(void) {
  pthread_t id;
  struct counter *c = malloc(sizeof *c);
  if (!c)
    return 1;
  c->n = 0;
  pthread_spin_init(&c->l, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&id, 0, other, c);
  pthread_spin_lock(&c->l);
  c->n++;
  pthread_spin_unlock(&c->l);
  pthread_join(id, 0);
  pthread_spin_destroy(&c->l);
  free(c);
  return 0;
}
