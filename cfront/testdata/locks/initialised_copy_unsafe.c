// expect: UNSAFE --check=locks
// The bytes of a mutex that was initialised are copied, and the copy initialised; in the unsafe one the original once more.
#include <pthread.h>
struct account {
  pthread_mutex_t m;
  int balance;
};
static struct account a, b;
int main(void) {
  pthread_mutex_init(&a.m, 0);
  b = a;
  pthread_mutex_init(&a.m, 0);
  pthread_mutex_destroy(&a.m);
  return 0;
}
