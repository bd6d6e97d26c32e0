// expect: UNSAFE --check=memory
/* A null pointer is called. */
static int twice(int x) { return 2 * x; }
static int (*table[3])(int) = {twice, twice, 0};
static int apply(int k, int x) { return table[k](x); }
int main(void) {
 return apply(2, 3) - 6;
}
