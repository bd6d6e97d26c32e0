// expect: SAFE --check=race
// A longjmp goes back to where the mutex is held, and still is.
#include <pthread.h>
#include <setjmp.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
  jmp_buf back;
  pthread_mutex_lock(&m);
  int again = setjmp(back);
  x++;
  if (again)
    return pthread_mutex_unlock(&m), (void *)0;
  (void)0;
  longjmp(back, 1);
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
