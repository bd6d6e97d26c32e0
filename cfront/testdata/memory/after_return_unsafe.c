// expect: UNSAFE --check=memory
/* The address of a local outlives its function, or that of a static variable is used. */
static int *keep(int value) {
 int x;
  x = value;
  int *p = &x;
  return p;
}
int main(void) {
  int *p = keep(3);
  return *p - 3;
}
