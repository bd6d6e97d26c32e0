// expect: UNSAFE --check=locks
/* Two threads open and close the same semaphore at the same time; in the unsafe one a thread closes it twice. */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
static void *user(void *arg) {
  sem_t *s = sem_open("/lamp", O_CREAT, 0600, 1);
  sem_close(s);
  if (arg)
    sem_close(s);
  return arg;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, user, &id);
  user(0);
  pthread_join(id, 0);
  return 0;
}
