// expect: SAFE --check=locks
/* A semaphore is posted after its destruction. */
#include <semaphore.h>
int main(void) {
  sem_t s;
  sem_init(&s, 0, 1);
 sem_post(&s);
  sem_destroy(&s);
  return 0;
}
