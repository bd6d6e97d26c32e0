// Headers of the C library itself: comus has no <netdb.h> of its own.
#include <netdb.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct addrinfo hints = {.ai_family = 2};
void start(_Atomic int *p) {
  atomic_init(p, 1);
}
