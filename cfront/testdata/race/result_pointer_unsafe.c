// expect: UNSAFE --check=race
// A thread's result is read through the pointer that the thread has left in an atomic variable.
#include <pthread.h>
#include <stdatomic.h>
int *_Atomic where;
int data;
void *f(void *arg) {
  where = &data;
  data = 5;
  return &data;
}
int main(void) {
  pthread_t t;
  void *p = 0;
  pthread_create(&t, 0, f, 0);
  p = where;
  int r = p ? *(int *)p : 0;
  pthread_join(t, &p);
  return r == 1;
}
