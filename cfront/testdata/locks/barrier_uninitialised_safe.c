// expect: SAFE --check=locks
/* A barrier is waited at that nobody has initialised. */
#include <pthread.h>
static pthread_barrier_t b;
int main(void) {
 pthread_barrier_init(&b, 0, 1);
  pthread_barrier_wait(&b);
  return 0;
}
