// expect: error 5:7: unsupported: variable length array of a type that is declared elsewhere
int main(void) {
  int n = 3;
  typedef int row[n];
  row a;
  a[0] = 0;
  return a[0];
}
