// expect: SAFE --check=race
// printf gets the value of a variable that no thread writes any more.
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
  pthread_join(t, 0);
  printf("%d\n", x);
  return 0;
}
