// expect: SAFE
#include <pthread.h>
#include <assert.h>
int x;
void *f(void *arg) {
  __sync_fetch_and_add(&x, 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  __sync_add_and_fetch(&x, 1);
  pthread_join(t, 0);
  assert(x == 2 && __sync_bool_compare_and_swap(&x, 2, 3) && __sync_val_compare_and_swap(&x, 1, 9) == 3);
  __sync_synchronize();
  return 0;
}
