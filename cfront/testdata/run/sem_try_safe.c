// expect: SAFE
#include <semaphore.h>
#include <pthread.h>
#include <assert.h>

sem_t s;
int in;
void *f(void *a) {
  if (sem_trywait(&s) == 0) {
    int n = ++in;
    assert(n == 1);
    in--;
    sem_post(&s);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 1);
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  int v;
  sem_getvalue(&s, &v);
  assert(v == 1);
  return 0;
}
