// expect: UNSAFE --check=overflow
/* A product of two ints. */
int square(int a) {
  return a * a;
}
int main(void) {
 return square(46341) == 0;
}
