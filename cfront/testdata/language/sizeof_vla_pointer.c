// expect: error 4:10: unsupported: the size of a variable length array that is no variable, or a part of one
int main(void) {
  int n = 3, (*p)[n] = 0;
  return sizeof *p;
}
