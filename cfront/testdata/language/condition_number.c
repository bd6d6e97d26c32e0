// expect: error 4:1: unsupported: the value of && as a number in a condition of the preprocessor
#define FAST 1
#define SMALL 2
#if (FAST && SMALL) == 1
#endif
int main(void) { return 0; }
