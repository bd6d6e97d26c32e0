// expect: SAFE
#include <assert.h>
struct p { int x, y; };
struct p mk(int a) { struct p r; r.x = a; r.y = a + 1; return r; }
int main() { struct p q = mk(3); assert(q.x == 3 && q.y == 4); assert(mk(5).y == 6); return 0; }
