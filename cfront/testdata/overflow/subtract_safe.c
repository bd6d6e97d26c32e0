// expect: SAFE --check=overflow
/* A difference of two ints. */
int difference(int a, int b) {
  return a - b;
}
int main(void) {
 return difference(-2147483647, 1) == 0;
}
