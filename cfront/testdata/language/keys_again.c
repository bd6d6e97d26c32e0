// expect: error 9:3: unsupported: pthread_key_create for a variable that may have a key already
#include <pthread.h>
#include <assert.h>
pthread_key_t k;
int main(void) {
  pthread_key_create(&k, 0);
  pthread_setspecific(k, &k);
  pthread_key_delete(k);
  pthread_key_create(&k, 0);
  assert(pthread_getspecific(k) == 0);
  return 0;
}
