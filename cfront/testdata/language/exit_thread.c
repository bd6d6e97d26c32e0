// expect: SAFE
#include <pthread.h>
#include <assert.h>
int x;
void *f(void *arg) {
  x = 1;
  pthread_exit((void *)3);
  x = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  void *r;
  pthread_join(t, &r);
  assert(x == 1 && r == (void *)3);
  return 0;
}
