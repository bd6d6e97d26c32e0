// expect: UNSAFE --check=race
// putchar_unlocked leaves the locking of the stream to the caller.
#include <pthread.h>
#include <stdio.h>
void *f(void *arg) {
  putchar_unlocked('x');
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
