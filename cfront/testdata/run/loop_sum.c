// expect: SAFE
#include <assert.h>
int a[6];
int main() { int s = 0; for (int i = 0; i < 6; i++) { a[i] = i * i; } for (int i = 5; i >= 0; --i) s += a[i]; assert(s == 55);
 int i = 0; while (1) { if (i >= 200) break; i++; } assert(i == 200); return 0; }
