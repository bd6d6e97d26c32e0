// expect: UNSAFE --check=race
// The loop joins later, so main's write of the second round meets the thread of the first.
#include <pthread.h>
int x;
void *f(void *arg) {
  x++;
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) {
    if (i < 1 || x < 5)
      x = i;
    if (i == 0) {
      pthread_create(&t[i], 0, f, 0);
    }
  }
  pthread_join(t[0], 0);
  return 0;
}
