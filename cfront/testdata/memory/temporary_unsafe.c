// expect: UNSAFE --check=memory
/* The array in a struct that a function returns lives as long as the full expression of the call. */
struct pair { int at[2]; };
static struct pair make(int n) {
  struct pair p = {{n, 2}};
  return p;
}
static int sum(const int *p) { return p[0] + p[1]; }
int main(void) {
  int n = 0;
  for (int i = 0; i < sum(make(i).at) - 3; i++)
    n += make(i).at[1];
  const int *p = make(n).at;
  n += sum(p);
  return n == 1;
}
