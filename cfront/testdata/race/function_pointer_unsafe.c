// expect: UNSAFE --check=race
// The function called through a pointer writes the shared variable.
#include <pthread.h>
int x, y;
void on_x(void) { x++; }
void on_y(void) { y++; }
void (*action)(void) = on_x;
void *f(void *arg) {
  action();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  on_x();
  pthread_join(t, 0);
  return 0;
}
