// expect: UNSAFE --check=memory
/* A pointer to a variable of a block is used behind the block. */
static void point(int **p, int *x) { *p = x; }
int main(void) {
  int *p;
  {
   int x = 3;
    point(&p, &x);
  }
  *p = 4;
  return 0;
}
