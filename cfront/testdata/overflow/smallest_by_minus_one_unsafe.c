// expect: UNSAFE --check=overflow
/* The smallest int divided by -1 is not representable. */
int divide(int a, int b) {
  return a / b;
}
int main(void) {
 return divide(-2147483647 - 1, -1) == 0;
}
