// expect: SAFE
#include <pthread.h>
#include <assert.h>
#define N 2
// Arrays of two dimensions as one of N * N elements.
int a[N][N] = {{1, 2}, {3, 4}}, b[N][N] = {{5, 6}, {7, 8}}, c[N][N];
static void multiply(int *to, const int *x, const int *y, int row) {
  for (int j = 0; j < N; j++) {
    int sum = 0;
    for (int k = 0; k < N; k++) sum += x[row * N + k] * y[k * N + j];
    to[row * N + j] = sum;
  }
}
void *rows(void *p) { multiply((int *)c, &a[0][0], b[0], *(int *)p); return 0; }
int main(void) {
  pthread_t t[N]; int row[N] = {0, 1};
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, rows, &row[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(c[0][0] == 19 && c[1][1] == 50);
}
