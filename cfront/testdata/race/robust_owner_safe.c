// expect: SAFE --check=race
// The owner of a robust mutex dies; who takes it then holds it, and repairs it.
#include <errno.h>
#include <pthread.h>
pthread_mutex_t m;
int x;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  return 0;
}
static void add(void) {
  int error = pthread_mutex_lock(&m);
  if (error == ENOTRECOVERABLE)
    return;
  if (error == EOWNERDEAD)
    pthread_mutex_consistent(&m);
  x++;
  pthread_mutex_unlock(&m);
}
void *g(void *arg) {
  add();
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &a);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  add();
  pthread_join(u, 0);
  pthread_join(t, 0);
  return 0;
}
