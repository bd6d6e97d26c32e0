/* The heap: <stdlib.h> and <malloc.h>. Allocation fails for sizes that no object can have; with
   COMUS_MALLOC_MAY_FAIL, for any. */
#include "libc.h"

static void *no_memory(void) {
  errno = ENOMEM;
  return 0;
}

void *malloc(size_t n) {
  if (n > PTRDIFF_MAX)
    return no_memory();
#ifdef COMUS_MALLOC_MAY_FAIL
  if (__comus_nondet_bool())
    return no_memory();
#else
  __comus_assumption("malloc does not return NULL");
#endif
  return __comus_alloc(n);
}

void free(void *p) {
  if (p)
    __comus_free(p);
}

void *calloc(size_t n, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(n, size, &all))
    return no_memory();
  void *p = malloc(all);
  if (p)
    __comus_fill(p, 0, all);
  return p;
}

void *realloc(void *p, size_t n) {
  if (!p)
    return malloc(n);
  if (n == 0) { /* as in glibc; C leaves it open */
    __comus_free(p);
    return 0;
  }
  if (n > PTRDIFF_MAX)
    return no_memory();
#ifdef COMUS_MALLOC_MAY_FAIL
  if (__comus_nondet_bool())
    return no_memory();
#else
  __comus_assumption("malloc does not return NULL");
#endif
  return __comus_resize(p, n);
}

void *reallocarray(void *p, size_t n, size_t size) {
  size_t all;
  return __builtin_mul_overflow(n, size, &all) ? no_memory() : realloc(p, all);
}

static int is_power(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

/* The least power of two that is at least n, and not less than what malloc aligns to. */
static size_t round_up(size_t n) {
  size_t a = 2 * sizeof(void *);
  if (n <= a)
    return a;
  if (is_power(n))
    return n;
  while (a < n)
    a *= 2;
  return a;
}

static void *bad_alignment(void) {
  errno = EINVAL;
  return 0;
}

void *memalign(size_t alignment, size_t n) {
  if (alignment > SIZE_MAX / 2 + 1)
    return bad_alignment();
  size_t a = round_up(alignment); /* as glibc does */
  if (a > PTRDIFF_MAX || n > PTRDIFF_MAX - a)
    return no_memory();
#ifdef COMUS_MALLOC_MAY_FAIL
  if (__comus_nondet_bool())
    return no_memory();
#else
  __comus_assumption("malloc does not return NULL");
#endif
  return __comus_alloc_aligned(n, a);
}

/* glibc rounds up as memalign does; since 2.38 it fails instead. */
void *aligned_alloc(size_t alignment, size_t n) {
  if (!is_power(alignment) && __comus_nondet_bool())
    return bad_alignment();
  return memalign(alignment, n);
}

void *valloc(size_t n) { return memalign(4096, n); }

void *pvalloc(size_t n) { return n > PTRDIFF_MAX ? no_memory() : memalign(4096, (n + 4095) / 4096 * 4096); }

int posix_memalign(void **to, size_t alignment, size_t n) {
  if (alignment % sizeof(void *) != 0 || !is_power(alignment / sizeof(void *)))
    return EINVAL;
  void *p = memalign(alignment, n);
  if (!p)
    return ENOMEM;
  *to = p;
  return 0;
}

/* The size of the object, or more: as much as the program may use without a doubt. */
size_t malloc_usable_size(void *p) {
  if (!p)
    return 0;
  __comus_assumption("malloc_usable_size returns the size that was asked for");
  return __comus_object_size(p);
}

int malloc_trim(size_t pad) {
  (void)pad;
  return __comus_nondet_bool();
}

int mallopt(int what, int value) {
  (void)what, (void)value;
  return __comus_nondet_bool() ? 0 : 1;
}
