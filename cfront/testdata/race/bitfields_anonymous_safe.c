// expect: SAFE --check=race
// Bit-fields of a struct in a union share a memory location as those of any other.
#include <pthread.h>
struct {
  union {
    struct {
      unsigned a : 8;
      unsigned : 0;
      unsigned b : 8;
    };
    int all;
  };
} x;
void *f(void *arg) {
  x.a = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x.b = 1;
  pthread_join(t, 0);
  return 0;
}
