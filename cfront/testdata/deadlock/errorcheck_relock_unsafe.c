// expect: UNSAFE --check=deadlock
// A normal mutex lets the thread that holds it wait for itself.
#include <pthread.h>
pthread_mutex_t m;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  if (pthread_mutex_lock(&m) == 0)
    pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_NORMAL);
  pthread_mutex_init(&m, &a);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}
