// expect: UNSAFE --check=locks
/* A mutex in memory that was allocated is initialised by the thread that allocates it; in the unsafe one by the other thread, too. */
#include <pthread.h>
#include <stdlib.h>
struct account {
  int balance;
  pthread_mutex_t m;
};
static void pay(struct account *a, int n) {
  pthread_mutex_lock(&a->m);
  a->balance += n;
  pthread_mutex_unlock(&a->m);
}
static void *payer(void *arg) {
  struct account *a = arg;
  pthread_mutex_init(&a->m, 0);
  pay(a, 5);
  return 0;
}
int main(void) {
  struct account *a = malloc(sizeof *a);
  pthread_t id;
  if (!a)
    return 1;
  a->balance = 0;
  pthread_mutex_init(&a->m, 0);
  pthread_create(&id, 0, payer, a);
  pay(a, 3);
  pthread_join(id, 0);
  pthread_mutex_destroy(&a->m);
  free(a);
  return 0;
}
