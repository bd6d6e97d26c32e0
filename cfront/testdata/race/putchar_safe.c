// expect: SAFE --check=race
// putchar locks its stream.
#include <pthread.h>
#include <stdio.h>
void *f(void *arg) {
  putchar('x');
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
