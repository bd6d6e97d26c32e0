// expect: UNSAFE --check=locks
/* A barrier in allocated memory is initialised by main and destroyed by another thread before that initialises it for more; in the unsafe one it is not destroyed. */
#include <pthread.h>
#include <stdlib.h>
struct team {
  pthread_barrier_t b;
  int members;
};
static void *grow(void *arg) {
  struct team *t = arg;
  pthread_barrier_init(&t->b, 0, (unsigned)++t->members);
  return 0;
}
int main(void) {
  pthread_t id;
  struct team *t = malloc(sizeof *t);
  if (!t)
    return 1;
  t->members = 1;
  pthread_barrier_init(&t->b, 0, 1);
  pthread_barrier_wait(&t->b);
  pthread_create(&id, 0, grow, t);
  pthread_join(id, 0);
  pthread_barrier_destroy(&t->b);
  free(t);
  return 0;
}
