// expect: SAFE --check=race
// strtok_r keeps its state where the caller says.
#include <pthread.h>
#include <string.h>
void *f(void *arg) {
  char *state;
  char text[] = "a b";
  char *p = strtok_r(text, " ", &state);
  p = p ? strtok_r(0, " ", &state) : 0;
  return p ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
