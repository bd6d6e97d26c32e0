// expect: UNSAFE --check=locks
/* A mutex is a local of the body of a loop: another one each time; in the unsafe one it is one of the function, and never destroyed. */
#include <pthread.h>
int main(void) {
  pthread_mutex_t m;
  for (int i = 0; i < 100; i++) {
    pthread_mutex_init(&m, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  }
  return 0;
}
