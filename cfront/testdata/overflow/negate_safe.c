// expect: SAFE --check=overflow
/* The smallest int has no negative. */
int magnitude(int a) {
 if (a == -2147483647 - 1)
   return 2147483647;
  return a < 0 ? -a : a;
}
int main(void) {
  return magnitude(-2147483647 - 1) == 0;
}
