// expect: SAFE --check=race
// memcpy copies the member before the one that another thread writes.
#include <pthread.h>
#include <string.h>
struct pair { int a, b; } s, copy;
void *f(void *arg) {
  s.b = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  memcpy(&copy, &s, sizeof s.a);
  pthread_join(t, 0);
  return copy.a;
}
