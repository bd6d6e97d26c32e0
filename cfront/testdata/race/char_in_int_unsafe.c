// expect: UNSAFE --check=race
// A thread writes one byte of an int through a pointer to char while main reads all of it.
#include <pthread.h>
int x;
void *f(void *arg) {
  char *p = (char *)&x;
  p[3] = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int r;
  pthread_create(&t, 0, f, 0);
  r = x;
  pthread_join(t, 0);
  return r == 7;
}
