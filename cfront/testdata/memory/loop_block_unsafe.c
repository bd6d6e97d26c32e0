// expect: UNSAFE --check=memory
/* The pointer to the last turn's variable is used in the next turn, before the new one lives. */
int main(void) {
  int *last = 0, sum = 0;
  for (int i = 0; i < 2; i++) {
    if (last)
      sum += *last;
    {
     int x = 0;
      x = i;
      last = &x;
    }
  }
  return sum;
}
