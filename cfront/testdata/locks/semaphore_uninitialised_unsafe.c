// expect: UNSAFE --check=locks
/* A semaphore that is static has no initial value that POSIX knows. */
#include <semaphore.h>
static sem_t s;
int main(void) {
  sem_post(&s);
  sem_wait(&s);
  return 0;
}
