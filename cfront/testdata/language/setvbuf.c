// expect: error 5:3: unsupported: setvbuf with a buffer of the program
#include <stdio.h>
int main(void) {
  char buffer[64];
  setvbuf(stdout, buffer, 0, sizeof buffer);
  return buffer[0];
}
