// expect: SAFE --check=race
// Thread-specific data is set by each thread to its own object.
#include <pthread.h>
pthread_key_t key;
int common, own[2];
void *f(void *arg) {
  pthread_setspecific(key, &own[(long)arg]);
  int *p = pthread_getspecific(key);
  *p += 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&key, 0);
  pthread_create(&t, 0, f, (void *)1);
  f((void *)0);
  pthread_join(t, 0);
  return common + own[0] == 7;
}
