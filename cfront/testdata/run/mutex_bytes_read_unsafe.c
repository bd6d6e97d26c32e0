// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <string.h>

int main(void) {
  union {
    pthread_mutex_t mu;
    char bytes[sizeof(pthread_mutex_t)];
  } x, y;
  pthread_mutex_init(&x.mu, 0);
  pthread_mutex_lock(&x.mu);
  y.bytes[0] = 1;
  
  pthread_mutex_unlock(&x.mu);
  assert(y.bytes[1] == 0); /* what is not written may be anything, though it is where a mutex may be */
  return 0;
}
