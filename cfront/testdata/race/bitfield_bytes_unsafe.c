// expect: UNSAFE --check=race
// Adjacent bit-fields of eight bits race although no byte is shared.
#include <pthread.h>
struct {
  unsigned a : 8;
  unsigned b : 8;
} s;
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
