// expect: SAFE --check=race
// sscanf writes a variable that no other thread uses.
#include <pthread.h>
#include <stdio.h>
int x, y, r;
void *f(void *arg) {
  r = x;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int n = sscanf("5", "%d", &y);
  pthread_join(t, 0);
  return n != 1 || y + r == 1;
}
