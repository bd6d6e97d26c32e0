// expect: UNSAFE --check=race
// A variable of main's stack is used by a thread and by main at the same time.
#include <pthread.h>
void *f(void *arg) {
  int *p = arg;
  *p += 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int local = 1;
  pthread_create(&t, 0, f, &local);
  local += 2;
  pthread_join(t, 0);
  return local == 0;
}
