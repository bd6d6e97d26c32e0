// expect: error 11:3: unsupported: pthread_cancel
#include <pthread.h>
#include <assert.h>
void *f(void *arg) {
  
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_cancel(t);
  return 0;
}
