// expect: SAFE --check=race
// A precision bounds how much of a string is read.
#include <pthread.h>
#include <stdio.h>
char name[8] = "abcdef";
void *f(void *arg) {
  name[3] = 'x';
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  printf("%.3s %.*s\n", name, 2, name);
  pthread_join(t, 0);
  return 0;
}
