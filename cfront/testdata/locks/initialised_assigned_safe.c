// expect: SAFE --check=locks
/* A struct that nobody has initialised is assigned to one whose mutex was; in the unsafe one the other way round. Then that mutex is initialised. */
#include <pthread.h>
#include <stdlib.h>
struct account {
  int balance;
  pthread_mutex_t m;
};
int main(void) {
  struct account *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  if (!a || !b)
    return 1;
  pthread_mutex_init(&a->m, 0);
  *a = *b;
  pthread_mutex_init(&a->m, 0);
  pthread_mutex_destroy(&a->m);
  pthread_mutex_init(&b->m, 0);
  pthread_mutex_destroy(&b->m);
  free(a);
  free(b);
  return 0;
}
