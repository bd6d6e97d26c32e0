// expect: SAFE
#include <math.h>
#include <stdio.h>
#include <assert.h>
struct s { float w; int n; double v[2]; };
struct s g = {1.5f, 3, {1}};
double mean(int *a, int n) { double sum = 0; for (int i = 0; i < n; i++) sum += a[i]; return sum / n; }
int main(void) {
  int a[2] = {1, 2}, k = 0;
  float f[3] = {0.5f}, *p = &f[1];
  *p = -f[0] * k++;
  f[2] = k ? 1 : *p;
  double m = mean(a, 2);
  struct s h = g;
  h.v[1] += fabs(m);
  printf("%f %f %f\n", m, h.v[1], (float)k);
  assert(k == 1 && h.n == 3 && (int)2.5 == 2 && sizeof m == 8);
  return 0;
}
