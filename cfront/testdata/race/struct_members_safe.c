// expect: SAFE --check=race
// Two threads write different members of one struct.
#include <pthread.h>
struct { char a, b; } s;
void *f(void *arg) {
  s.a = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  s.b = 2;
  pthread_join(t, 0);
  return 0;
}
