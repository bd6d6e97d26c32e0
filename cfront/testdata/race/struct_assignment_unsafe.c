// expect: UNSAFE --check=race
// A struct is assigned as a whole while another thread writes one of its members.
#include <pthread.h>
struct pair { int a, b; } s, copy;
void *f(void *arg) {
  s.b = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  copy = s;
  pthread_join(t, 0);
  return copy.a;
}
