// expect: UNSAFE
// The thread may run before its id is stored.
#include <assert.h>
#include <pthread.h>

static pthread_t id;

static void *thread(void *p) {
  assert(id != 0);
  return p;
}

int main(void) {
  pthread_create(&id, 0, thread, 0);
  pthread_join(id, 0);
  return 0;
}
