// expect: error 2:21: unsupported: 'HUGE' does not fit an int
enum sizes { SMALL, HUGE = 0x100000000 };
int main(void) { return SMALL; }
