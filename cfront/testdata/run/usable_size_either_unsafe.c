// expect: UNSAFE
/* A pointer is one to either of two objects, whose sizes differ; in the unsafe one it is taken for one to the larger one. */
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
static char *shared;
static void *thread(void *large) {
  shared = large;
  return 0;
}
int main(void) {
  char *small = malloc(24), *large = malloc(2000);
  pthread_t id;
  shared = small;
  pthread_create(&id, 0, thread, large);
  char *p = shared;
  size_t n = malloc_usable_size(p);
  assert(n >= 2000);
  pthread_join(id, 0);
  free(small);
  free(large);
  return 0;
}
