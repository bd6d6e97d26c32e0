// expect: SAFE --check=race
// read writes no more bytes than it is told.
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
  long n = read(0, buffer, 4);
  pthread_join(t, 0);
  return n == 9;
}
