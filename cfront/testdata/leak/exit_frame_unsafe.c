// expect: UNSAFE --check=leak
/* exit is called: the locals of main are still there; of a function that has returned they are not. */
#include <stdlib.h>
static void leave(int *p) {
  *p = 1;
}
static void work(void) {
  int *p = malloc(sizeof *p);
  leave(p);
 p = 0;
}
int main(void) {
  work();
  exit(0);
}
