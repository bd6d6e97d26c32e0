// expect: UNSAFE --check=deadlock
// Each thread joins the one that it has created, and the last one none: in the unsafe one the first, which waits for it.
#include <pthread.h>
static pthread_t root;
static void *f(void *arg) {
  long n = (long)arg;
  pthread_t child;
  if (n == 0) {
    pthread_join(root, 0);
    return 0;
  }
  pthread_create(&child, 0, f, (void *)(n - 1));
  pthread_join(child, 0);
  return 0;
}
int main(void) {
  pthread_create(&root, 0, f, (void *)2L);
  pthread_exit(0);
}
