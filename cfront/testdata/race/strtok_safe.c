// expect: SAFE --check=race
// strtok_r keeps its state where the caller says.
#include <pthread.h>
#include <string.h>
char text[2][4] = { "a b", "c d" };
void *f(void *arg) {
  char *state;
  char *p = strtok_r(text[(long)arg], " ", &state);
  p = p ? strtok_r(0, " ", &state) : 0;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, (void *)1);
  f((void *)0);
  pthread_join(t, 0);
  return 0;
}
