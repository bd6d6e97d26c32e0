// expect: error 2:26: unsupported: the size of 'a', which is a pointer to the elements of an array here
int f(int a[3]) { return sizeof a; }
int main(void) { int a[3] = {0}; return f(a); }
