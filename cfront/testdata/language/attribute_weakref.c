// expect: error 3:13: a static variable ‘b’ that is another name of ‘a’ is not supported
static long a;
static long b __attribute__((weakref("a")));
int main(void) { return (int)(a + b); }
