// expect: SAFE --check=race
// A member is passed by value while another thread writes the other member.
#include <pthread.h>
struct pair { int a, b; } s;
int first(int a) { return a; }
void *f(void *arg) {
  s.b = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = first(s.a);
  pthread_join(t, 0);
  return r;
}
