// expect: SAFE --check=deadlock
// The locks of two accounts are taken in the order of their addresses.
#include <pthread.h>
struct account { pthread_mutex_t m; int v; } acc[2] = { { PTHREAD_MUTEX_INITIALIZER, 5 }, { PTHREAD_MUTEX_INITIALIZER, 5 } };
void transfer(struct account *from, struct account *to) {
  struct account *first = from < to ? from : to, *second = from < to ? to : from;
  pthread_mutex_lock(&first->m);
  pthread_mutex_lock(&second->m);
  from->v--;
  to->v++;
  pthread_mutex_unlock(&second->m);
  pthread_mutex_unlock(&first->m);
}
void *f(void *arg) {
  transfer(&acc[0], &acc[1]);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  transfer(&acc[1], &acc[0]);
  pthread_join(t, 0);
  return 0;
}
