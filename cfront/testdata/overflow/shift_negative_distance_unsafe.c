// expect: UNSAFE --check=overflow
/* A shift by a negative distance. */
int main(void) {
  unsigned mask = 0;
  for (int i = 3; i >= 0; i--)
   mask |= 8u >> (i - 1);
  return mask != 15;
}
