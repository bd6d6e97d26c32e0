// expect: error 4:19: unsupported: the size of a struct with a variable length array
int f(int n) {
  typedef struct { int items[n]; } list;
  int size = (int)sizeof(list);
  return size;
}
int main(void) { return f(3); }
