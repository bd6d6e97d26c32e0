// expect: error 2:24: unsupported: length of an array in a parameter that is more than read
int f(int n, int items[n++]) { return n; }
int main(void) { int a[4]; return f(3, a); }
