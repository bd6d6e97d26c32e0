// expect: SAFE
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>
int main(void) {
  sem_unlink("/comus_language");
  sem_t *s = sem_open("/comus_language", O_CREAT | O_EXCL, 0600, 1);
  assert(s != SEM_FAILED);
  assert(sem_trywait(s) == 0);
  sem_t *t = sem_open("/comus_language", 0);
  assert(t == s && sem_trywait(t) == -1);
  assert(sem_close(s) == 0);
  assert(sem_unlink("/comus_language") == 0);
  return 0;
}
