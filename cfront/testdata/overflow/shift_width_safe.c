// expect: SAFE --check=overflow
/* A shift by all the bits of the type. */
unsigned bit(int n) {
  return 1u << n;
}
int main(void) {
 return bit(31) == 0;
}
