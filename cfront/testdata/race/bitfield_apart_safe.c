// expect: SAFE --check=race
// A member that is no bit-field, and a nested struct, end memory locations, too.
#include <pthread.h>
struct {
  unsigned a : 3;
  char c;
  unsigned b : 3;
  struct {
    unsigned d : 3;
  } in;
} s;
void *f(void *arg) {
  s.a = 1;
  s.in.d = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  s.c = 2;
  s.b = 2;
  pthread_join(t, 0);
  return 0;
}
