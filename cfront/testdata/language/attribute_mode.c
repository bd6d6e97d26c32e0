// expect: error 2:38: unsupported: __attribute__((mode))
typedef unsigned byte __attribute__((mode(QI)));
int main(void) { byte b = 255; b++; return b; }
