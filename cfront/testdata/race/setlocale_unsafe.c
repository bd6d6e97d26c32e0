// expect: UNSAFE --check=race
// setlocale races with functions that the locale matters to (C11 7.11.1.1).
#include <pthread.h>
#include <stdio.h>
char *setlocale(int category, const char *name);
void *f(void *arg) {
  printf("%d\n", 1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  setlocale(6, "C");
  pthread_join(t, 0);
  return 0;
}
