// expect: undefined
#include <pthread.h>

static void *thread(void *p) { return p; }

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, thread, 0);
  pthread_detach(id);
  pthread_detach(id);
  return 0;
}
