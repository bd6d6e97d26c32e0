// expect: UNSAFE
#include <pthread.h>
#include <assert.h>

struct arg { int id, *out; };
int x;
void *f(void *a) {
  struct arg *p = a;
  *p->out = p->id;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, &(struct arg){4, &x});
  pthread_join(t, 0);
  assert(x == 3);
  return 0;
}
