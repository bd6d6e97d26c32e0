// expect: UNSAFE --check=race
// putc_unlocked behind the end of the section that holds the stream's lock; another thread prints.
#include <pthread.h>
#include <stdio.h>
void *f(void *arg) {
  flockfile(stdout);
  putc_unlocked('a', stdout);
  funlockfile(stdout);
  putchar_unlocked('b');
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  printf("x");
  pthread_join(t, 0);
  return 0;
}
