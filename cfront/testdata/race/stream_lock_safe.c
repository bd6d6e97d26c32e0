// expect: SAFE --check=race
// putc_unlocked where the thread holds the stream's lock; another one prints.
#include <pthread.h>
#include <stdio.h>
void *f(void *arg) {
  flockfile(stdout);
  putc_unlocked('a', stdout);
  putchar_unlocked('b');
  funlockfile(stdout);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  printf("x");
  f(0);
  pthread_join(t, 0);
  return 0;
}
