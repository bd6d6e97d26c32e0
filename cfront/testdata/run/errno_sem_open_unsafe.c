// expect: UNSAFE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
int main(void) {
  errno = 0;
  sem_t *s = sem_open("/comus_errno", O_CREAT, 0600, 1);
  assert(errno == 0);
  return 0;
}
