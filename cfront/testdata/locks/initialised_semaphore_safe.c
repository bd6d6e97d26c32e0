// expect: SAFE --check=locks
/* A semaphore is in a local struct that two threads know: main initialises it before the other one begins; in the unsafe one both do. */
#include <pthread.h>
#include <semaphore.h>
struct mail {
  int message;
  sem_t there;
};
static void *sender(void *arg) {
  struct mail *m = arg;
  m->message = 42;
  sem_post(&m->there);
  return 0;
}
int main(void) {
  struct mail m;
  pthread_t id;
  sem_init(&m.there, 0, 0);
  pthread_create(&id, 0, sender, &m);
  sem_wait(&m.there);
  pthread_join(id, 0);
  sem_destroy(&m.there);
  return m.message != 42;
}
