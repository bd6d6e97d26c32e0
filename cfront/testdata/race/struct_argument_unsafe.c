// expect: UNSAFE --check=race
// A struct is passed by value while another thread writes one of its members.
#include <pthread.h>
struct pair { int a, b; } s;
int first(struct pair p) { return p.a; }
void *f(void *arg) {
  s.b = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = first(s);
  pthread_join(t, 0);
  return r;
}
