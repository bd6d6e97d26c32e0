// expect: SAFE --check=overflow
/* x++ at the end of the range. */
int main(void) {
  int x = 2147483646;
  x++;
  return x == 0;
}
