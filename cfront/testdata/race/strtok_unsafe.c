// expect: UNSAFE --check=race
// strtok keeps its state in one hidden variable for all threads.
#include <pthread.h>
#include <string.h>
void *f(void *arg) {
  char text[] = "a b";
  char *p = strtok(text, " ");
  p = p ? strtok(0, " ") : 0;
  return p ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
