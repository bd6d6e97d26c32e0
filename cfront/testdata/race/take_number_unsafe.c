// expect: UNSAFE --check=race
// A number that is read and then written atomically may be given to both threads.
#include <pthread.h>
#include <stdatomic.h>
atomic_int next;
int data[2];
void *f(void *arg) {
  int i = atomic_load(&next);
  atomic_store(&next, i + 1);
  data[i]++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
