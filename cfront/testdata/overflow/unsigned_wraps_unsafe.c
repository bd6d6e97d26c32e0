// expect: UNSAFE --check=overflow
/* Unsigned arithmetic wraps around. */
int main(void) {
 int x = 2147483647;
  for (int i = 0; i < 3; i++)
    x = x + 1;
  return x == 7;
}
