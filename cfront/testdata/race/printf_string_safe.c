// expect: SAFE --check=race
// printf reads a string up to the zero byte, behind which another thread writes.
#include <pthread.h>
#include <stdio.h>
char name[8] = "ab";
void *f(void *arg) {
  name[3] = 'x';
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  printf("%s\n", name);
  pthread_join(t, 0);
  return 0;
}
