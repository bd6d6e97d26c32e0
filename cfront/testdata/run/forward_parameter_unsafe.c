// expect: UNSAFE
// A parameter that is declared ahead of an array whose length it is (GNU).
#include <assert.h>

static int last(int n; int a[][n], int rows, int n) {
    assert(sizeof a[0] == n * sizeof(int));
    return a[rows - 1][n - 1];
}

int main(void) {
    int a[2][3] = {{1, 2, 3}, {4, 5, 6}};
    assert(last(a, 2, 3) == 6);
    assert(last(a, 1, 3) == 2);
    return 0;
}
