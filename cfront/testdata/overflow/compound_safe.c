// expect: SAFE --check=overflow
/* A compound assignment computes in int: of a short it is converted back, of an int it overflows. */
int main(void) {
 short x = 32767;
  x += 1;
  return x == 0;
}
