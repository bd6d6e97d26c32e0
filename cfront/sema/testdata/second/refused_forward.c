void f(int n; int a[n], int n) { a[n - 1] = 0; }
