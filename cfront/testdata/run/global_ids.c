// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
pthread_t tid[2]; int x;
void *f(void *a) { int l = x; x = l + 1; return 0; }
int main() {
  int i;
  for (i = 0; i < 2; ++i) pthread_create(tid + i, 0, f, 0);
  for (i = 0; i < 2; ++i) pthread_join(tid[i], 0);
  assert(x == 2);
}
