/* VLAs, alloca, cleanup, compound literals, initialisers, static data with addresses. */
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sum2(int n, int m, int a[n][m]) {
  int s = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j];
  return s + (int)(sizeof a[0] / sizeof(int));
}
static int vla(int n) {
  int s = 0;
  for (int i = 1; i < n; i++) {
    int a[i][n];
    for (int j = 0; j < i; j++) for (int k = 0; k < n; k++) a[j][k] = j * k;
    s += sum2(i, n, a) + (int)sizeof a;
    if (i == 3) continue;
    int (*p)[n] = a + i - 1;
    s += (*p)[n - 1] + (int)(&a[i][0] - &a[0][0]) + (int)(p - a);
    if (s > 5000) break;
  }
  return s;
}
static int again(int n) {
  int count = 0;
here:;
  char buf[n];
  memset(buf, count, n);
  if (count++ < 100) goto here;
  return buf[n - 1];
}
static char trace[200];
static void leave(const char **p) { strcat(trace, *p); }
#define CLEAN(x) __attribute__((cleanup(leave))) const char *x
static int clean(int k) {
  CLEAN(a) = "a";
  for (int i = 0; i < 3; i++) {
    CLEAN(b) = "b";
    if (k == 1 && i == 1) break;
    if (k == 2) continue;
    if (k == 3 && i == 2) return strlen(trace);
    CLEAN(c) = "c";
    if (k == 4) goto out;
  }
  strcat(trace, "-");
out:
  return 0;
}
static const char *const names[] = {"zero", "one", [4] = "four", 0};
static struct node { int v; struct node *next; int (*f)(int); } list[3] = {{1, &list[1], vla}, {2, list + 2, again}, {3, 0, 0}};
static char text[10] = "abc", exact[3] = "xyz";
static int *back = &list[2].v - 4;
static long long wide = 5;
static double reals[] = {1, 2.5f, -0.0, 1e300};
static int zeros[1 << 20];
extern int later;
int later = 42;
int *plater = &later;
static int counter(void) { static int n = 10; static int *p = &n; return ++*p + n; }

int main(void) {
  printf("%d %d\n", vla(8), again(50));
  for (int k = 0; k < 5; k++) { printf("%d ", clean(k)); puts(trace); *trace = 0; }
  char *s = alloca(20), *t = alloca(20);
  strcpy(s, "stack"); strcpy(t, s); t[0] = 'S';
  printf("%s %s\n", s, t);
  printf("%s %s %d %d %d\n", names[1], names[4], names[2] == 0, list[0].next->next->v, list->next->f(3));
  printf("%s %.3s %d %lld %g %g\n", text, exact, text[9], wide, reals[1], 1 / reals[2]);
  printf("%d %d %d\n", *(back + 4), zeros[12345], *plater);
  printf("%d %d\n", counter(), counter());
  int a[] = {1, [5] = 6, 7, [2] = 3, [0] = 9}, n = sizeof a / sizeof *a;
  for (int i = 0; i < n; i++) printf("%d ", a[i]);
  int x = 3, y[2][3] = {{x, x * 2}, {[2] = x + 1}};
  printf("%d %d %d %d\n", y[0][0], y[0][1], y[0][2], y[1][2]);
  char local[8] = "hi", *lp = (char[]){"literal"};
  lp[0]++;
  printf("%s %d %s\n", local, local[7], lp);
  struct node chain = {.next = &(struct node){5, &(struct node){6}}};
  printf("%d %d\n", chain.next->v, chain.next->next->v);
  int many[40] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, x};
  printf("%d %d %d\n", many[25], many[26], many[39]);
  int *heap = malloc(10 * sizeof *heap);
  for (int i = 0; i < 10; i++) heap[i] = i * i;
  heap = realloc(heap, 20 * sizeof *heap);
  printf("%d\n", heap[9]);
  free(heap);
  for (int i = 0; i < 3; i++) { int *p = &(int){i}; *p += 10; printf("%d ", *p); }
  puts("");
  return 0;
}
