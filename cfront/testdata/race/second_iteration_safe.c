// expect: SAFE --check=race
// Each round of the loop joins the thread that it created.
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
      pthread_join(t[i], 0);
    }
  }
  return 0;
}
