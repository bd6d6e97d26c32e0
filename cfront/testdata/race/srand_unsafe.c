// expect: UNSAFE --check=race
// main sets the seed while another thread asks for numbers.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) { return rand() == 7 ? arg : 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  srand(3);
  pthread_join(t, 0);
  return 0;
}
