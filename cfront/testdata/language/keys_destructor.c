// expect: error 7:3: unsupported: pthread_key_create with a destructor
#include <pthread.h>
#include <assert.h>
void d(void *p) {}
int main(void) {
  pthread_key_t k;
  pthread_key_create(&k, d);
  return 0;
}
