/* qsort, bsearch, lfind, lsearch. C leaves open which elements are compared, and the order of those that compare equal; qsort is
   an insertion sort, which keeps it, as glibc's merge sort does. */
#include "libc.h"

/* All elements have to be there, whichever are looked at. */
static void have(const void *base, size_t n, size_t size) {
  const char *p = base;
  if (size > 0 && n > 0)
    (void)p[n > PTRDIFF_MAX / size ? PTRDIFF_MAX : n * size - 1];
}

void qsort_r(void *base, size_t n, size_t size, __compar_d_fn_t compare, void *arg) {
  __comus_assumption("qsort keeps the order of elements that compare equal");
  if (n < 2)
    return;
  have(base, n, size);
  char *p = base, *x = __comus_alloc(size);
  for (size_t i = 1; i < n; i++) {
    size_t k = i;
    while (k > 0 && compare(p + (k - 1) * size, p + i * size, arg) > 0)
      k--;
    if (k == i)
      continue;
    __comus_copy(x, p + i * size, size, 0);
    __comus_copy(p + (k + 1) * size, p + k * size, (i - k) * size, 1);
    __comus_copy(p + k * size, x, size, 0);
  }
  __comus_free(x);
}

static int compare_two(const void *a, const void *b, void *compare) { return (*(__compar_fn_t *)compare)(a, b); }

void qsort(void *base, size_t n, size_t size, __compar_fn_t compare) { qsort_r(base, n, size, compare_two, &compare); }

/* Any element that compares equal: which is open. */
void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
  const char *p = base;
  have(base, n, size);
  while (n > 0) {
    size_t half = n / 2;
    const char *middle = p + half * size;
    int c = compare(key, middle);
    if (c == 0)
      return (void *)middle;
    if (c > 0) {
      p = middle + size;
      n -= half + 1;
    } else
      n = half;
  }
  return 0;
}

/* From the first element on. */
void *lfind(const void *key, const void *base, size_t *n, size_t size, int (*compare)(const void *, const void *)) {
  const char *p = base;
  GIVEN(*n);
  for (size_t k = *n; k > 0; k--, p += size)
    if (compare(key, p) == 0)
      return (void *)p;
  return 0;
}

void *lsearch(const void *key, void *base, size_t *n, size_t size, int (*compare)(const void *, const void *)) {
  char *p = lfind(key, base, n, size, compare);
  if (!p) {
    p = (char *)base + *n * size;
    __comus_copy(p, key, size, 0);
    ++*n;
  }
  return p;
}
