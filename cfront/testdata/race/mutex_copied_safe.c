// expect: SAFE --check=race
// A copy of a struct reads the mutex in it, which a lock writes.
#include <pthread.h>
struct account {
  pthread_mutex_t m;
  int sum;
} first = {PTHREAD_MUTEX_INITIALIZER, 0}, second;
void *f(void *arg) {
  pthread_mutex_lock(&first.m);
  pthread_mutex_unlock(&first.m);
  return arg;
}
int main(void) {
  pthread_t t;
  second = first;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return second.sum;
}
