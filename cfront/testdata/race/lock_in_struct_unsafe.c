// expect: UNSAFE --check=race
// The lock of one struct is taken for the data of another one.
#include <pthread.h>
struct account { pthread_mutex_t m; int v; };
struct account a = { PTHREAD_MUTEX_INITIALIZER, 1 }, b = { PTHREAD_MUTEX_INITIALIZER, 1 };
void *f(void *arg) {
  struct account *p = arg;
  pthread_mutex_lock(&p->m);
  b.v++;
  pthread_mutex_unlock(&p->m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, &a);
  pthread_create(&u, 0, f, &b);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
