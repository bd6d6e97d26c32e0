// expect: SAFE --check=race
// main sets the locale before there are threads that print.
#include <pthread.h>
#include <stdio.h>
char *setlocale(int category, const char *name);
void *f(void *arg) {
  printf("%d\n", 1);
  return arg;
}
int main(void) {
  pthread_t t;
  setlocale(6, "C");
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
