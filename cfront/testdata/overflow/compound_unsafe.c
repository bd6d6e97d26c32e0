// expect: UNSAFE --check=overflow
/* A compound assignment computes in int: of a short it is converted back, of an int it overflows. */
int main(void) {
 int x = 2147483647;
  x += 1;
  return x == 0;
}
