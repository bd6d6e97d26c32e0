// expect: SAFE
#include <stddef.h>
#include <pthread.h>
#include <assert.h>
struct s { char c; struct { short h; int i[4]; } in; } g = {.in.i = {5, 6, 7, 8}};
int k;
void *f(void *a) { k = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int n = k;
  int *p = (int *)((char *)&g + offsetof(struct s, in.i[n]));
  assert(*p == 5 || *p == 6);
  return 0;
}
