// expect: SAFE
#include <errno.h>
#include <semaphore.h>
#include <assert.h>
sem_t s;
int main(void) {
  assert(errno == 0);
  sem_init(&s, 0, 0);
  int r = sem_trywait(&s);
  assert(r == -1 && errno == EAGAIN);
  errno = 0;
  assert(errno == 0);
  return 0;
}
