// expect: error 4:10: unsupported: __atomic_test_and_set of an object of more than one byte
int x;
int main(void) {
  return __atomic_test_and_set(&x, 5);
}
