// expect: error 4:10: unsupported: strings (strchr)
#include <string.h>
int main(void) {
  return strchr("ab", 'a') != 0;
}
