#include <assert.h>
#include <stddef.h>
#define ADD(a, b) ((a) + (b))
#define EMPTY
#define TWICE(x) ADD(x, x)
#define CALL(f, ...) f(__VA_ARGS__)
#define LOG(fmt, ...) log_(fmt, ##__VA_ARGS__)
#define STR(x) #x
#define XSTR(x) STR(x)
#define JOIN(a, b) a##b
#define G ADD
#define SWAP(a, b) do { int t = a; \
  a = b; b = t; } while (0)
int log_(const char *, ...);
int EMPTY JOIN(var, 1) EMPTY = ADD(1,
	2) + __LINE__; int y;
static int f(int a, int b) { return TWICE(a) + G (a, b); }
int main(void) {
  int x = 1 /* comment */ + y, z = ADD(ADD(x, 2), TWICE(y)); y++;
  assert(x ==
         2); x++;
  LOG("a"); LOG("b", x); LOG("c %d" XSTR(y), x, y); EMPTY EMPTY y++;
  CALL(ADD, x,
       y); SWAP(x, y); SWAP(z,
                            x); x--;
#if 0
  x = ADD(1, 2);
#else
  x = ADD(
#ifdef FOO
   3,
#else
   4,
#endif
   5); y = NULL == 0;
#endif
  return JOIN(,) x + f(y, z) \
    + ADD(x, y);
}
#undef ADD
int ADD;
