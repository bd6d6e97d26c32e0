// expect: SAFE --check=memory
/* A pointer to a copy of a struct that was passed by value is used after the call. */
struct pair { int a, b; };
static struct pair copy;
static int *second(struct pair p) {
  copy = p;
 int *q = &copy.b;
  return q;
}
int main(void) {
  struct pair p = {1, 2};
  int *q = second(p);
  return *q - 2;
}
