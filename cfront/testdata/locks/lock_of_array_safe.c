// expect: SAFE --check=locks
/* Of two mutexes the other one is taken, or the same again. */
#include <pthread.h>
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int main(int argc, char **argv) {
  (void)argv;
  int i = argc > 1;
  pthread_mutex_lock(&m[i]);
  pthread_mutex_lock(&m[1 - i]);
  return 0;
}
