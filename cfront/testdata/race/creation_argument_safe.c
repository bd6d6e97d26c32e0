// expect: SAFE --check=race
// An object is handed over to the thread that is created, and main leaves it alone until the join.
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
  pthread_join(t, 0);
  j->out = 7;
  free(j);
  return 0;
}
