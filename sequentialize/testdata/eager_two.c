// Two threads, for the eager sequentialization.
#include <assert.h>
#include <pthread.h>

int x, y;

void *other(void *a) {
  x = 1;
  y = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  int seen = y;
  if (seen)
    assert(x == 1);
  return 0;
}
