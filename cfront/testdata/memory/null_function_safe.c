// expect: SAFE --check=memory
/* A pointer to a function is called. */
static int twice(int x) { return 2 * x; }
static int (*table[3])(int) = {twice, twice, 0};
static int apply(int k, int x) { return table[k](x); }
int main(void) {
 return apply(1, 3) - 6;
}
