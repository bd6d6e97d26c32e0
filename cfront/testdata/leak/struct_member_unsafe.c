// expect: UNSAFE --check=leak
/* An object that another one holds is freed before it. */
#include <stdlib.h>
#include <string.h>
struct person { char *name; int age; };
int main(void) {
  struct person *p = malloc(sizeof *p);
  p->name = malloc(4);
  strcpy(p->name, "Ann");
  p->age = 30;
  free(p);
  return 0;
}
