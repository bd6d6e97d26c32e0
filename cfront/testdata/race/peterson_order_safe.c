// expect: SAFE --check=race
// Peterson's algorithm raises the flag before it looks at the other's.
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag[2], turn;
int x;
void *f(void *arg) {
  long me = (long)arg;
  flag[me] = 1;
  turn = 1 - me;
  while (flag[1 - me] && turn == 1 - me)
    ;
  x++;
  flag[me] = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, (void *)1);
  f((void *)0);
  pthread_join(t, 0);
  return 0;
}
