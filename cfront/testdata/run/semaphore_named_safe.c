// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <fcntl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#define NAME "/comus_lib_test"
sem_t *s; int x;
void *f(void *a) {
  sem_wait(s);
  x++;
  sem_post(s);
  return 0;
}
int main(void) {
  sem_unlink(NAME);
  s = sem_open(NAME, O_CREAT | O_EXCL, 0644, 1);
  if (s == SEM_FAILED) { perror("sem_open"); exit(1); }
  sem_t *q = sem_open(NAME, O_CREAT | O_EXCL, 0644, 1);
  assert(q == SEM_FAILED && errno == 17);
  q = sem_open(NAME, 0);
  assert(q == s);
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 2);
  int v; sem_getvalue(q, &v); assert(v == 1);
  sem_close(s);
  assert(sem_unlink(NAME) == 0);
  assert(sem_unlink(NAME) == -1 && errno == 2);
  q = sem_open(NAME, 0);
  assert(q == 0 && errno == 2);
  return 0;
}
