// expect: error 4:37: unsupported: __attribute__((cleanup))
void end(int *p) { *p = 0; }
int main(void) {
  __attribute__((cleanup(end))) int x = 1;
  return x;
}
