// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <string.h>

int slots[3];

void *f(void *arg) {
  slots[1] = 5;
  return 0;
}

int main(void) {
  pthread_t t;
  memset(slots, -1, sizeof slots);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(slots[0] == -1 && slots[1] == 5 && slots[2] < 0);
  return 0;
}
