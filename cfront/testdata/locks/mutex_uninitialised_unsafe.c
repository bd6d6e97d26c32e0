// expect: UNSAFE --check=locks
/* So is a mutex. */
#include <pthread.h>
#include <stdlib.h>
struct account { pthread_mutex_t m; int balance; };
int main(void) {
  struct account *a = malloc(sizeof *a);
  pthread_mutex_lock(&a->m);
  a->balance = 0;
  pthread_mutex_unlock(&a->m);
  free(a);
  return 0;
}
