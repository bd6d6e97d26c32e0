// expect: error 5:14: unsupported: sem_open of a name that is not known here
#include <fcntl.h>
#include <semaphore.h>
int main(int argc, char **argv) {
  sem_t *s = sem_open(argv[1], O_CREAT, 0600, 1);
  return 0;
}
