// expect: SAFE --check=race
// Adjacent bit-fields are one memory location, in memory from malloc, too.
#include <pthread.h>
#include <stdlib.h>
struct flags {
  int n;
  unsigned a : 8;
  unsigned : 0;
  unsigned b : 8;
};
void *f(void *arg) {
  struct flags *p = arg;
  p->a = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  struct flags *p = calloc(2, sizeof *p);
  if (!p)
    return 1;
  pthread_create(&t, 0, f, &p[1]);
  p[1].b = 1;
  pthread_join(t, 0);
  return 0;
}
