// expect: UNSAFE --check=race
// Two numbers of threads give the same element by i / 2.
#include <pthread.h>
int data[2];
void *f(void *arg) {
  unsigned long id = (unsigned long)arg;
  data[id / 2]++;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, (void *)0);
  pthread_create(&u, 0, f, (void *)1);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
