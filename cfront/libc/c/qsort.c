/* qsort. C leaves open which elements are compared, and the order of those that compare equal; this is
   an insertion sort, which keeps it, as glibc's merge sort does. */
#include "libc.h"

void qsort_r(void *base, size_t n, size_t size, __compar_d_fn_t compare, void *arg) {
  __comus_assumption("qsort keeps the order of elements that compare equal");
  if (n < 2)
    return;
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
