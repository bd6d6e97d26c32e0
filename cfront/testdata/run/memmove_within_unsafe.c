// expect: UNSAFE
#include <pthread.h>
#include <string.h>
#include <assert.h>
// Parts of one object, some of which overlap.
struct e { short k; int v; char c; };
int a[6] = {1, 2, 3, 4, 5, 6}, n, i; char buf[8], txt[8] = "abcdef"; struct e s[4] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
void *thread(void *p) { n = 3; i = 1; return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, thread, 0); pthread_join(t, 0);
  memmove(a, a + 1, 5 * sizeof(int));
  assert(a[0] == 2 && a[4] == 6 && a[5] == 6);
  memmove(&a[2], a, n * sizeof *a);
  assert(a[1] == 3 && a[2] == 2 && a[3] == 3 && a[4] == 4 && a[5] == 6);
  memmove(&s[i], &s[0], sizeof(s[0]) * n);
  assert(s[0].v == 2 && s[1].v == 2 && s[2].c == 6 && s[3].k == 7);
  memcpy(buf, txt + i, n);
  assert(buf[0] == 'b' && buf[2] == 'd' && buf[3] == 0);
  memset(buf, 'z', n - 1);
  assert(buf[0] == 'z' && buf[1] == 'z' && buf[2] == 'd');
  memcpy(&a[4], &a[0], 2 * sizeof a[0]);
  assert(a[4] == 2 && a[5] == 3);
  memmove(buf + 1, buf, n + i);
  assert(buf[0] == 'z' && buf[2] == 'd' && buf[3] == 'd' && buf[4] == 0);
}
