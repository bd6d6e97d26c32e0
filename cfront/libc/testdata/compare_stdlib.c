#include "compare.h"

static int compare_ints(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
static int compare_ints_with(const void *a, const void *b, void *down) { return *(int *)down ? compare_ints(b, a) : compare_ints(a, b); }

static void sorting(void) {
  int n = pick(20), down = pick(2), key = pick(10);
  for (int i = 0; i < n; i++)
    ((int *)worlds[0].text)[i] = ((int *)worlds[1].text)[i] = pick(10);
  VOID(qsort, (W->text, n, sizeof(int), compare_ints));
  W = &worlds[0];
  int *p = bsearch(&key, W->text, n, sizeof(int), compare_ints), *q = model_bsearch(&key, W->text, n, sizeof(int), compare_ints);
  EXPECT(!p == !q && (!q || *q == key));
  size_t k = n, l = n;
  W = &worlds[0];
  p = lfind(&key, W->text, &k, sizeof(int), compare_ints), q = model_lfind(&key, W->text, &l, sizeof(int), compare_ints);
  EXPECT(p == q && k == l);
  k = l = n;
  p = lsearch(&key, worlds[0].text, &k, sizeof(int), compare_ints), q = model_lsearch(&key, worlds[1].text, &l, sizeof(int), compare_ints);
  EXPECT(k == l && (char *)p - (char *)worlds[0].text == (char *)q - (char *)worlds[1].text && *p == *q);
  VOID(qsort_r, (W->text, n, sizeof(int), compare_ints_with, &down));
}

static void arithmetic(void) {
  long long x = ((long long)pick(INT_MAX) << 20) - ((long long)pick(INT_MAX) << 20), y = 1 + pick(1000);
  CALL(abs, ((int)x | 1));
  CALL(labs, (x));
  CALL(llabs, (x));
  CALL(imaxabs, (x));
  div_t a = model_div((int)x, (int)y), b = div((int)x, (int)y);
  ldiv_t c = model_ldiv(x, y), d = ldiv(x, y);
  lldiv_t e = model_lldiv(x, y), f = lldiv(x, y);
  imaxdiv_t g = model_imaxdiv(x, y), h = imaxdiv(x, y);
  EXPECT(a.quot == b.quot && a.rem == b.rem && c.quot == d.quot && c.rem == d.rem && e.quot == f.quot && e.rem == f.rem && g.quot == h.quot && g.rem == h.rem);
}

/* Addresses differ; whether there is one does not. */
#define NULLNESS(f, args)                                                    \
  do {                                                                       \
    *model___errno_location() = 0;                                           \
    errno = 0;                                                               \
    void *volatile p_ = model_##f args, *volatile q_ = f args;               \
    EXPECT(!p_ == !q_);                                                      \
    if (*model___errno_location() != errno)                                  \
      differ(__FILE__, __LINE__, #f #args, 0, p_ != 0, *model___errno_location(), q_ != 0, errno); \
    if (p_)                                                                  \
      model_free(p_);                                                        \
    if (q_)                                                                  \
      free(q_);                                                              \
    count_call();                                                            \
  } while (0)

static void memory(void) {
  static volatile size_t sizes[] = {0, 1, 100, SIZE_MAX, (size_t)PTRDIFF_MAX + 1, SIZE_MAX / 2 + 9, SIZE_MAX / 8 * 7};
  for (int i = 0; i < 5; i++) {
    NULLNESS(malloc, (sizes[i]));
    NULLNESS(pvalloc, (sizes[i]));
    NULLNESS(valloc, (sizes[i]));
    NULLNESS(aligned_alloc, (64, sizes[i]));
    NULLNESS(realloc, (0, sizes[i]));
    for (int k = 0; k < 7; k++) {
      NULLNESS(calloc, (sizes[i], sizes[k]));
      NULLNESS(reallocarray, (0, sizes[i], sizes[k]));
    }
  }
  static volatile size_t alignments[] = {0, 1, 2, 3, 8, 16, 48, 64, 4096, SIZE_MAX, (size_t)1 << 63};
  for (int i = 0; i < 11; i++) {
    if (alignments[i] != (size_t)1 << 63)
      NULLNESS(memalign, (alignments[i], 100));
    if (alignments[i] != (size_t)1 << 63)
      NULLNESS(aligned_alloc, (alignments[i], 100));
    if (alignments[i] != 0) /* which glibc takes for a power of two */
      CALL(posix_memalign, (&W->pointer, alignments[i], 100));
  }
  CALL(posix_memalign, (&W->pointer, 64, SIZE_MAX));
  VOID(free, (0));
  char *p = model_malloc(10);
  strcpy(p, "abcdefghi");
  p = model_realloc(p, 20);
  EXPECT(!strcmp(p, "abcdefghi") && model_malloc_usable_size(p) >= 20 && model_malloc_usable_size(0) == 0);
  model_realloc(p, 0);
  OUTCOME(UNDEFINED, free, (p));
  int x;
  OUTCOME(UNDEFINED, free, (&x));
  int *z = model_calloc(5, sizeof *z);
  EXPECT(z[0] == 0 && z[4] == 0);
  OUTCOME(RETURNED, malloc_trim, (0));
  OUTCOME(RETURNED, mallopt, (0, 0));
}

static void any_values(void) {
  unsigned seed = 1;
  CHOOSE(7);
  EXPECT(model_rand() == 7);
  CHOOSE(3, 8);
  EXPECT(model_rand_r(&seed) == 8 && seed == 3);
  CHOOSE(9);
  EXPECT(model_random() == 9);
  CHOOSE(0);
  EXPECT(model_drand48() == 0);
  OUTCOME(RETURNED, lrand48, ());
  OUTCOME(RETURNED, mrand48, ());
  model_srand(1), model_srandom(1), model_srand48(1);
  CHOOSE(-1);
  OUTCOME(IMPOSSIBLE, rand, ());
}

static void environment(void) {
  CALL(getenv, ("COMUS_NOT_SET"));
  CALL(secure_getenv, ("COMUS_NOT_SET"));
  CHOOSE(1, 3);
  EXPECT(!strcmp(model_getenv("PATH"), "hhh") && model_getenv("PATH") == model_getenv("PATH"));
  CALL(setenv, ("COMUS_A", "b", 1));
  CALL(setenv, ("", "b", 1));
  CALL(setenv, ("A=", "b", 1));
  EXPECT(!strcmp(model_getenv("COMUS_A"), "b"));
  CALL(setenv, ("COMUS_A", "c", 0));
  EXPECT(!strcmp(model_getenv("COMUS_A"), "b"));
  CALL(unsetenv, ("COMUS_A"));
  CALL(getenv, ("COMUS_A"));
  CALL(setenv, (0, "b", 1));
  CALL(unsetenv, ("A="));
  CALL(unsetenv, (""));
  CALL(putenv, ("COMUS_A=c"));
  EXPECT(!strcmp(model_getenv("COMUS_A"), "c"));
  CALL(putenv, ("COMUS_A"));
  CALL(getenv, ("COMUS_A"));
  CALL(clearenv, ());
  CHOOSE(1, 3);
  CALL(getenv, ("HOME"));
  CHOOSE(1);
  CALL(system, (0));
  CHOOSE(0);
  CALL(system, ("true"));
  CHOOSE(256);
  CALL(system, ("false"));
}

static char order[20];
static void note_a(void) { strcat(order, "a"); }
static void note_c(void) { strcat(order, "c"); }
static void note_b(void) { strcat(order, "b"), model_atexit(note_c); }
static void note_status(int status, void *s) { strcat(order, s), EXPECT(status == 7); }

/* Functions are called in the reverse order, those that others register at once. */
static void ends(void) {
  EXPECT(model_atexit(note_a) == 0 && model_atexit(note_b) == 0 && model_on_exit(note_status, "s") == 0);
  OUTCOME(STOPPED, exit, (7));
  EXPECT(!strcmp(order, "sbca"));
  OUTCOME(UNDEFINED, exit, (7));
  EXPECT(model_at_quick_exit(note_a) == 0);
  order[0] = 0;
  OUTCOME(STOPPED, quick_exit, (1));
  EXPECT(!strcmp(order, "a"));
  OUTCOME(STOPPED, _exit, (1));
  OUTCOME(STOPPED, _Exit, (1));
  OUTCOME(TRAPPED, abort, ());
  OUTCOME(FAILED_ASSERTION, __assert_fail, ("", "", 1, ""));
  OUTCOME(FAILED_ASSERTION, __assert_perror_fail, (1, "", 1, ""));
  OUTCOME(FAILED_ASSERTION, __assert, ("", "", 1));
}

void compare_stdlib(void) {
  for (int i = 0; i < 300; i++)
    sorting(), arithmetic();
  memory();
  any_values();
  environment();
  ends();
}
