// expect: SAFE --check=memory
/* An index of an array in a union, behind which lies another member. */
union word { int all; unsigned char bytes[4]; };
struct tagged { union word w; int tag; };
int main(int argc, char **argv) {
  (void)argv;
  struct tagged t = {{0}, 1};
 int i = argc & 3;
  t.w.bytes[i] = 1;
  return t.tag - 1;
}
