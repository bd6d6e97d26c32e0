// expect: error 3:29: unsupported: '+=', made by ## in a macro
#define UPDATE(v, op, by) v op##= by
int main(void) { int x = 1; UPDATE(x, +, 1); return x; }
