// expect: SAFE --check=race
// The destructor of a key counts with the lock, at the end of each thread.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_key_t key;
int ended;
static void count(void) { ended++; }
static void destroy(void *p) {
  pthread_mutex_lock(&m);
  count();
  pthread_mutex_unlock(&m);
}
static void *uses(void *arg) {
  pthread_setspecific(key, &m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_key_create(&key, destroy);
  pthread_create(&t, 0, uses, 0);
  pthread_create(&u, 0, uses, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return ended == 3;
}
