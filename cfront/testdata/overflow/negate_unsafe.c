// expect: UNSAFE --check=overflow
/* The smallest int has no negative. */
int magnitude(int a) {
  return a < 0 ? -a : a;
}
int main(void) {
  return magnitude(-2147483647 - 1) == 0;
}
