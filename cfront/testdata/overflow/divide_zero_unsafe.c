// expect: UNSAFE --check=overflow
/* Division by a difference that may be zero. */
int ratio(int a, int b) {
 return 100 / (a - b);
}
int main(void) {
  return ratio(3, 3);
}
