// expect: UNSAFE --check=race
// setlocale races with functions that the locale matters to (C11 7.11.1.1).
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
void *f(void *arg) {
  printf("%d\n", 1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  setlocale(LC_ALL, "C");
  pthread_join(t, 0);
  return 0;
}
