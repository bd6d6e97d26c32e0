// expect: SAFE --check=overflow
/* x <<= n once too often. */
int main(void) {
  int x = 1;
 for (int i = 0; i < 30; i++)
    x <<= 1;
  return x == 0;
}
