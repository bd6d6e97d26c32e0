// expect: error 3:15: unsupported: the string constant L"\u00e9", which is not ASCII
#include <stddef.h>
wchar_t w[] = L"\u00e9";
int main(void) { return w[0]; }
