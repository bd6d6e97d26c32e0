// expect: SAFE --check=race
// Two members of a union's struct lie side by side.
#include <pthread.h>
union { int whole; struct { short low, high; } part; } u;
void *f(void *arg) {
  u.part.high = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  u.part.low = 2;
  pthread_join(t, 0);
  return 0;
}
