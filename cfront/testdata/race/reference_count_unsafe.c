// expect: UNSAFE --check=race
// The last of two owners clears the object; the decrement of the count is relaxed.
#include <pthread.h>
#include <stdatomic.h>
atomic_int owners = 2;
int object = 1;
void *f(void *arg) {
  int r = object;
  if (atomic_fetch_sub_explicit(&owners, 1, memory_order_relaxed) == 1)
    object = 0;
  return r == 2 ? arg : 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
