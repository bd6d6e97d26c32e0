// expect: error 5:3: unsupported: access to single bytes of an object
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 1, y = 2, *p = __VERIFIER_nondet_int() ? &x : &y;
  *(char *)p = 3;
  return 0;
}
