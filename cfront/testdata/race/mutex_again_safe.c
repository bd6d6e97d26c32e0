// expect: SAFE --check=race
// A mutex is destroyed and initialised again after its users were joined.
#include <pthread.h>
pthread_mutex_t m;
int x, y;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
void *g(void *arg) {
  y = 1;
  return 0;
}
int main(void) {
  pthread_t t, u, v;
  pthread_create(&v, 0, g, 0);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&m, 0);
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, f, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_mutex_destroy(&m);
  }
  pthread_join(v, 0);
  return 0;
}
