// expect: SAFE --check=race
// Each round of the loop joins the thread that it created.
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
    pthread_join(t[i], 0);
  }
  return 0;
}
