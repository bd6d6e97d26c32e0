// expect: SAFE --check=memory
/* The variable of a block is another one in the next turn: the pointer is one to that of the turn before, or to this one. */
int main(void) {
  int *last = 0, sum = 0;
  for (int i = 0; i < 2; i++) {
    int x = i;
   if (i >= 0)
      last = &x;
    sum += *last;
  }
  return sum;
}
