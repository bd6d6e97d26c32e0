// expect: UNSAFE
#include <assert.h>
enum color { red, green = 5, blue };
enum other { neg = green - 7, pos = green };
enum low { m = -1, p };
int x[green > -1 ? 3 : 5];
int one(void) { return 1; }
int main(void) { enum color c = green; int t = one();
 assert(sizeof x == 12); assert(neg > 0); long q = c - 7; assert(q > 0); 
 long r = (t ? c : 1) - 7; assert(r > 0); long r2 = (t ? green : blue) - 7; assert(r2 == -2); long r3 = (t ? green : c) - 7; assert(r3 > 0);
 switch (-2) { case green - 7: break; default: assert(0); } 
 enum low l = m; assert(l - 7 < 0); assert(l < p); 
 struct { enum color k; } z = { blue }; long r4 = z.k - 9; assert (r4 > 0); enum color *ip = &c; *ip = blue; unsigned *up = &c; assert(*up == 6);
 return 0; }
