// expect: UNSAFE --check=race
// The loop joins later, so main's write of the second round meets the thread of the first.
#include <pthread.h>
int x;
void *f(void *arg) {
  if (arg)
    x++;
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) {
    x = i;
    pthread_create(&t[i], 0, f, i == 0 ? t : 0);
  }
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
