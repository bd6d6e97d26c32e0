// expect: SAFE --check=memory
/* An array of variable length is used in its block alone. */
static int fill(int *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = i;
  return a[n - 1];
}
int main(int argc, char **argv) {
  (void)argv;
  int n = argc > 1 ? 3 : 3, *p, fixed[3] = {0};
  p = fixed;
  {
    int a[n];
    fill(a, n);
   p += a[0];
  }
  return p[0];
}
