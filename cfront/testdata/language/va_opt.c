// expect: error 4:25: unexpected 'CALL', expected ')' (hint: __VA_OPT__ is not supported)
#define CALL(f, a, ...) f(a __VA_OPT__(,) __VA_ARGS__)
int f(int a, int b) { return a + b; }
int main(void) { return CALL(f, 1, 2); }
