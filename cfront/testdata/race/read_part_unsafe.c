// expect: UNSAFE --check=race
// read writes a byte that another thread writes, too.
#include <pthread.h>
#include <unistd.h>
char buffer[8];
void *f(void *arg) {
  buffer[4] = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  long n = read(0, buffer, 5);
  pthread_join(t, 0);
  return n == 9;
}
