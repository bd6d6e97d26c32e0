// expect: error 6:3: unsupported: pthread_key_create
#include <pthread.h>
#include <assert.h>
int main(void) {
  pthread_key_t k;
  pthread_key_create(&k, 0);
  return 0;
}
