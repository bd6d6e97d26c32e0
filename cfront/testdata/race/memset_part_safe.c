// expect: SAFE --check=race
// memset clears the bytes before the one that another thread writes.
#include <pthread.h>
#include <string.h>
char buf[8];
void *f(void *arg) {
  buf[4] = 'x';
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  memset(buf, 1, 4);
  pthread_join(t, 0);
  return 0;
}
