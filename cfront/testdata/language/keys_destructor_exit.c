// expect: error 3:19: unsupported: pthread_exit within a destructor or handler
#include <pthread.h>
void d(void *p) { pthread_exit(0); }
pthread_key_t k;
int main(void) {
  pthread_key_create(&k, d);
  pthread_setspecific(k, &k);
  pthread_exit(0);
}
