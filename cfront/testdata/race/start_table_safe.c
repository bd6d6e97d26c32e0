// expect: SAFE --check=race
// The functions that threads begin with are taken from a table; they touch different variables.
#include <pthread.h>
int x, y;
void *f(void *arg) {
  x++;
  return 0;
}
void *g(void *arg) {
  y++;
  return 0;
}
void *(*start[2])(void *) = { f, g };
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, start[i], 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  return 0;
}
