// expect: UNSAFE --check=race
// Attributes are destroyed by main while a thread asks for them; in the safe one when it was joined.
#include <pthread.h>
pthread_attr_t a;
void *f(void *arg) {
  int detached;
  pthread_attr_getdetachstate(&a, &detached);
  return detached ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_attr_init(&a);
  pthread_create(&t, 0, f, 0);
  pthread_attr_destroy(&a);
  pthread_join(t, 0);
  return 0;
}
