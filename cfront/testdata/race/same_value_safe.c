// expect: SAFE --check=race
// One thread writes the value that is there already, and no other thread looks before the join.
#include <pthread.h>
int x = 1, y = 1;
void *f(void *arg) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  y = 1;
  pthread_join(t, 0);
  return x != y;
}
