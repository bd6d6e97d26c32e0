// expect: SAFE --check=race
// A variable of main's stack is used by a thread, and by main after the join.
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
  pthread_join(t, 0);
  local += 2;
  return local == 0;
}
