// expect: UNSAFE --check=race
// pthread_create reads the attributes that it is given.
#include <pthread.h>
pthread_attr_t a;
void *f(void *arg) {
  if (arg)
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_attr_init(&a);
  pthread_create(&s, 0, f, &a);
  pthread_create(&t, &a, f, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
