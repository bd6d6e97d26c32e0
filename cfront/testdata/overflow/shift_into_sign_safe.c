// expect: SAFE --check=overflow
/* A bit is not shifted into the sign. */
int flag(int n) {
  return 1 << n;
}
int main(void) {
 return flag(30) == 0;
}
