// expect: UNSAFE --check=race
// Threads draw the numbers of their elements from a counter, which they let go in between.
#include <pthread.h>
int next, a[4];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    int i = next;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    next = i + 1;
    pthread_mutex_unlock(&m);
    if (i >= 4) return 0;
    a[i] = i;
  }
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, f, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return a[2] - 2;
}
