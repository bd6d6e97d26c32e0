// expect: SAFE
#include <assert.h>
#include <pthread.h>

// The operand is a number of bytes.
int a[4], *next = a;

void *f(void *arg) {
  int *mine = __sync_fetch_and_add(&next, sizeof(int));
  *mine = 1;
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a[0] == 1 && a[1] == 1);
  assert(__atomic_sub_fetch(&next, 4, __ATOMIC_SEQ_CST) == &a[1]);
  return 0;
}
