// expect: error 3:29: unsupported: __attribute__((alias))
int a = 3;
extern int b __attribute__((alias("a")));
int main(void) { return b == 3 ? 0 : 1; }
