// expect: UNSAFE --check=locks
/* A semaphore is posted after its destruction. */
#include <semaphore.h>
int main(void) {
  sem_t s;
  sem_init(&s, 0, 1);
  sem_destroy(&s);
 sem_post(&s);
  return 0;
}
