// expect: SAFE --check=race
// Two threads write different bytes of an int through pointers to char.
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
  r = *(char *)&x;
  pthread_join(t, 0);
  return r == 7;
}
