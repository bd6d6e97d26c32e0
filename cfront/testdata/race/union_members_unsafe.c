// expect: UNSAFE --check=race
// Two members of a union lie over each other.
#include <pthread.h>
union { int whole; struct { short low, high; } part; } u;
void *f(void *arg) {
  u.part.high = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  u.whole = 2;
  pthread_join(t, 0);
  return 0;
}
