// expect: UNSAFE
#include <pthread.h>
#include <string.h>
#include <assert.h>
// A number of elements that is not known, from a pointer on that leads on to the next row.
int a[2][4], c[8], n;
void *thread(void *p) { n = 6; n = 8; return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, thread, 0);
  int k = n, *p = &a[0][0];
  for (int i = 0; i < 8; i++) c[i] = 1;
  memcpy(p, c, k * sizeof *p);
  assert(a[1][3] == 0);
  assert(k < 6 || a[1][1] == 1);
  memset(&a[0][3], 0, (k - (k > 3) - (k > 4) - (k > 5)) * sizeof(int));
  assert(k < 7 || a[1][2] == 0);
  return 0;
}
