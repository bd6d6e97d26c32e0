// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <fcntl.h>
const char *name = "/comus_lib_test2"; int x, n;
void *f(void *a) {
  sem_t *s = sem_open(name, O_CREAT, S_IRUSR | S_IWUSR, 2);
  sem_wait(s);
  x++; assert(x == 1); x--;
  sem_post(s);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  sem_unlink("/comus_lib_test2");
  return 0;
}
