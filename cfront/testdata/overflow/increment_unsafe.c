// expect: UNSAFE --check=overflow
/* x++ at the end of the range. */
int main(void) {
  int x = 2147483646;
  x++;
 x++;
  return x == 0;
}
