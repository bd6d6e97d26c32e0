// expect: SAFE --check=race
// One member is assigned while another thread writes the other member.
#include <pthread.h>
struct pair { int a, b; } s, copy;
void *f(void *arg) {
  s.b = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  copy.a = s.a;
  pthread_join(t, 0);
  return copy.a;
}
