// expect: SAFE --check=locks
/* A mutex is locked after its destruction. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
 pthread_mutex_lock(&m);
 pthread_mutex_unlock(&m);
  pthread_mutex_destroy(&m);
  return 0;
}
