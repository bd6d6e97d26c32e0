// expect: SAFE
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
enum kind { CIRCLE, RECT };
struct shape { enum kind kind; int refs; };
struct circle { struct shape base; int r; };
struct rect { struct shape base; int w, h; };
// Each struct is read through a pointer to another one, whose members lie alike.
int area(struct shape *s) {
  switch (((struct rect *)s)->base.kind) {
  case CIRCLE: return 3 * ((struct circle *)s)->r;
  case RECT: { struct rect *r = (struct rect *)s; return r->w * r->h; }
  }
  return -1;
}
int sum; pthread_mutex_t m;
void *add(void *p) {
  int a = area(p);
  pthread_mutex_lock(&m); sum += a; pthread_mutex_unlock(&m);
  free(p);
  return 0;
}
int main(void) {
  struct circle *c = malloc(sizeof *c);
  struct rect *r = malloc(sizeof *r);
  pthread_t t[2];
  struct shape *s[2] = {(struct shape *)c, &r->base};
  c->base.kind = CIRCLE; c->r = 2;
  r->base = (struct shape){RECT, 1}; r->w = 3; r->h = 4;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, s[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(sum == 18);
}
