// expect: UNSAFE --check=race
// Each thread takes a mutex, but not the same one.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
void *g(void *arg) {
  pthread_mutex_lock(&n);
  y++;
  pthread_mutex_unlock(&n);
  pthread_mutex_lock(&n);
  x++;
  pthread_mutex_unlock(&n);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return x + y == 3 ? 0 : 1;
}
