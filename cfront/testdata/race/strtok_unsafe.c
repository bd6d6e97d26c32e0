// expect: UNSAFE --check=race
// strtok keeps its state in one hidden variable for all threads.
#include <pthread.h>
#include <string.h>
char text[2][4] = { "a b", "c d" };
void *f(void *arg) {
  char *p = strtok(text[(long)arg], " ");
  p = p ? strtok(0, " ") : 0;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, (void *)1);
  f((void *)0);
  pthread_join(t, 0);
  return 0;
}
