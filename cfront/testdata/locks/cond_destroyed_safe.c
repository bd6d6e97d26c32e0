// expect: SAFE --check=locks
/* A condition variable is signalled after its destruction. */
#include <pthread.h>
static pthread_cond_t c;
int main(void) {
  pthread_cond_init(&c, 0);
 pthread_cond_signal(&c);
  pthread_cond_destroy(&c);
  return 0;
}
