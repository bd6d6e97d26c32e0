// expect: error 4:3: unsupported: named semaphores (sem_open)
#include <semaphore.h>
int main(void) {
  sem_open("/s", 0);
  return 0;
}
