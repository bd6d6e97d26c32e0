// expect: SAFE --check=race
// Two threads increment an _Atomic int.
#include <pthread.h>
_Atomic int x;
void *f(void *arg) {
  x++;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return x == 0;
}
