// expect: UNSAFE --check=race
// An object is handed over to the thread that is created, and main goes on using it.
#include <pthread.h>
#include <stdlib.h>
struct job { int in, out; };
void *f(void *arg) {
  struct job *j = arg;
  j->out = j->in + 1;
  return 0;
}
int main(void) {
  pthread_t t;
  struct job *j = malloc(sizeof *j);
  if (!j)
    return 1;
  j->in = 1;
  j->out = 0;
  pthread_create(&t, 0, f, j);
  j->out = 7;
  pthread_join(t, 0);
  free(j);
  return 0;
}
