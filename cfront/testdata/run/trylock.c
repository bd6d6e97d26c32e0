// expect: SAFE
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m; int x;
void *f(void *a) { if (pthread_mutex_trylock(&m) == 0) { x = 1; x = 0; pthread_mutex_unlock(&m); } return 0; }
int main() {
  pthread_t t; pthread_mutex_init(&m, 0); pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m);
  pthread_join(t, 0); return 0;
}
