// expect: SAFE
#include <assert.h>
struct p { int x, y; };
int *a = (int[]){1, 2, 3};
struct p *q = &(struct p){.y = 4};
struct p s = (struct p){5, 6};
struct p t[2] = {(struct p){7}, {8, 9}};
int main(void) {
  assert(a[2] == 3 && q->x == 0 && q->y == 4 && s.y == 6 && t[0].x == 7 && t[0].y == 0 && t[1].y == 9);
  a[1]++;
  assert(a[1] == 3);
  return 0;
}
