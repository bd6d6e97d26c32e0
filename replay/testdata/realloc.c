// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *a;
char *text;
void *f(void *arg) { a[1]++; text[2] = 'x'; return 0; }
int main(void) {
  pthread_t t;
  a = malloc(2 * sizeof(int));
  a[0] = a[1] = 4;
  a = realloc(a, 3 * sizeof(int));
  text = malloc(3);
  pthread_create(&t, 0, f, 0);
  a[1]++;
  assert(!(a[1] == 5 && a[2] == -9 && text[2] == 'x'));
  pthread_join(t, 0);
  assert(a[1] == 6);
  return 0;
}
