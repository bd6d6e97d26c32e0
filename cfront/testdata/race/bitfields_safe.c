// expect: SAFE --check=race
// Two bit-fields with an unnamed one of width zero between them are two memory locations.
#include <pthread.h>
struct {
  unsigned a : 3;
  unsigned : 0;
  unsigned b : 3;
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
