// expect: UNSAFE --check=race
// printf gets the value of a variable that another thread writes.
#include <pthread.h>
#include <stdio.h>
int x;
void *f(void *arg) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  printf("%d\n", x);
  pthread_join(t, 0);
  return 0;
}
