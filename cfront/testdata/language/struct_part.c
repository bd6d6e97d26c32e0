// expect: error 5:50: unsupported: initialiser for a part of a struct that another one is for
struct point { int x, y; };
int main(void) {
  struct point p = {1, 2};
  struct point a[2] = {[0] = p, [1] = p, [0].x = 5};
  return a[0].y;
}
