// expect: UNSAFE --check=race
// Peterson's algorithm with the flag raised only after it has looked at the other's.
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag[2], turn;
int x;
void *f(void *arg) {
  long me = (long)arg;
  turn = 1 - me;
  while (flag[1 - me] && turn == 1 - me)
    ;
  flag[me] = 1;
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
