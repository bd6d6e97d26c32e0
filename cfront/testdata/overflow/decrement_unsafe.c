// expect: UNSAFE --check=overflow
/* --x at the other end. */
int main(void) {
  long x = -9223372036854775807L;
  --x;
 --x;
  return x == 0;
}
