// expect: SAFE
#include <assert.h>
#include <stdlib.h>
struct small { int tag; };
struct large { int tag, more; };
int get(void *p) { return ((struct large *)p)->tag == 1 ? 0 : ((struct large *)p)->more; }
int main(void) {
  struct small *s = malloc(sizeof *s); struct large *l = malloc(sizeof *l);
  s->tag = 1; l->tag = 2; l->more = 7;
  void *ps[2] = {s, l};
  int sum = 0;
  for (int i = 0; i < 2; i++) sum += get(ps[i]);
  assert(sum == 7);
}
