// expect: error 4:3: unsupported: pointer made from an integer is dereferenced
int __VERIFIER_nondet_int(void);
int main(void) {
  *(int *)(long)__VERIFIER_nondet_int() = 1;
  return 0;
}
