// expect: SAFE --check=deadlock
// The locks of two accounts are taken in the order of their numbers, which are their indexes.
#include <pthread.h>
#include <stdlib.h>
struct account { int number, v; pthread_mutex_t m; };
struct account *acc;
static void transfer(struct account *from, struct account *to) {
  if (from->number < to->number) {
    pthread_mutex_lock(&from->m);
    pthread_mutex_lock(&to->m);
  } else {
    pthread_mutex_lock(&to->m);
    pthread_mutex_lock(&from->m);
  }
  from->v--;
  to->v++;
  pthread_mutex_unlock(&from->m);
  pthread_mutex_unlock(&to->m);
}
void *f(void *arg) {
  int x = arg != 0;
  transfer(&acc[x], &acc[1 - x]);
  return 0;
}
int main(void) {
  pthread_t t, u;
  acc = malloc(2 * sizeof *acc);
  if (!acc)
    return 1;
  for (int i = 0; i < 2; i++) {
    acc[i].number = i;
    acc[i].v = 5;
    pthread_mutex_init(&acc[i].m, 0);
  }
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, acc);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
