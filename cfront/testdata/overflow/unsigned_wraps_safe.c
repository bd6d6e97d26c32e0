// expect: SAFE --check=overflow
/* Unsigned arithmetic wraps around. */
int main(void) {
 unsigned x = 4294967295u;
  for (int i = 0; i < 3; i++)
    x = x + 1;
  return x == 7;
}
