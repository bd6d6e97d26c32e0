// expect: SAFE --check=race
// Two threads walk over halves of an array that do not overlap.
#include <pthread.h>
int a[4];
void *f(void *arg) {
  int *p = arg;
  for (int i = 0; i < 2; i++)
    p[i]++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, a);
  f(a + 2);
  pthread_join(t, 0);
  return 0;
}
