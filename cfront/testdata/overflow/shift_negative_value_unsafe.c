// expect: UNSAFE --check=overflow
/* A negative value is not shifted to the left; it may be to the right. */
int twice(int a) {
 return a << 1;
}
int main(void) {
  return twice(-4) == 0;
}
