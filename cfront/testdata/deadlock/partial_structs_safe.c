// expect: SAFE --check=deadlock
// Each of two threads takes the locks in two structs in the same order.
#include <pthread.h>
#include <sched.h>
struct account {
  int sum;
  pthread_mutex_t m;
} all[2] = {{1, PTHREAD_MUTEX_INITIALIZER}, {2, PTHREAD_MUTEX_INITIALIZER}};
void move(struct account *from, struct account *to) {
  pthread_mutex_lock(&from->m);
  pthread_mutex_lock(&to->m);
  from->sum--;
  to->sum++;
  pthread_mutex_unlock(&to->m);
  pthread_mutex_unlock(&from->m);
}
void *f(void *arg) {
  move(&all[0], &all[1]);
  return 0;
}
void *g(void *arg) {
  move(&all[0], &all[1]);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  for (;;)
    sched_yield();
}
