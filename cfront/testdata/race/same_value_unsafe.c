// expect: UNSAFE --check=race
// Two threads write the same value, which is a race all the same.
#include <pthread.h>
int x = 1, y = 1;
void *f(void *arg) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 1;
  pthread_join(t, 0);
  return x != y;
}
