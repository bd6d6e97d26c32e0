// expect: SAFE
#include <pthread.h>
#include <assert.h>
int a[3], n;
void note(void *p) { a[n++] = (long)p; }
void *f(void *arg) {
  pthread_cleanup_push(note, (void *)1);
  pthread_cleanup_push(note, (void *)2);
  if (arg)
    pthread_exit(0);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(1);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, &n);
  pthread_join(t, 0);
  assert(n == 2 && a[0] == 2 && a[1] == 1);
  pthread_create(&u, 0, f, 0);
  pthread_join(u, 0);
  assert(n == 3 && a[2] == 1);
  return 0;
}
