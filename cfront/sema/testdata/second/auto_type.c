// A declaration within what an __auto_type is initialised with.
long f(void) {
  __auto_type x = ({ long y = 1; y; }) - 4U;
  return x;
}
