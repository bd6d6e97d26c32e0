// expect: SAFE --check=overflow
/* Division by a difference that may be zero. */
int ratio(int a, int b) {
 return a == b ? 0 : 100 / (a - b);
}
int main(void) {
  return ratio(3, 3);
}
