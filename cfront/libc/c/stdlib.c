/* <stdlib.h>: arithmetic, searching, pseudo-random numbers. */
#include "libc.h"

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
intmax_t imaxabs(intmax_t x) { return x < 0 ? -x : x; }
div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }
imaxdiv_t imaxdiv(intmax_t a, intmax_t b) { return (imaxdiv_t){a / b, a % b}; }

static int any_below_2_31(void) {
  int r = __comus_nondet_int();
  __comus_assume(r >= 0);
  return r;
}

/* Numbers follow from their seed: what is drawn is any number, as long as no seed may come a second time. */
static void repeats(void) { __comus_approximation("random numbers that follow from their seed"); }

static void seed(unsigned seed, int *seeded) {
  __comus_atomic_begin();
  if (*seeded || seed == 1) /* as if with 1 before */
    repeats();
  *seeded = 1;
  __comus_atomic_end();
}

static int rand_seeded, random_seeded;

int rand(void) { return any_below_2_31(); }
void srand(unsigned s) { seed(s, &rand_seeded); }
long random(void) { return any_below_2_31(); }
void srandom(unsigned s) { seed(s, &random_seeded); }

int rand_r(unsigned *seed) {
  static unsigned least, most; /* of the seeds until now */
  static int some;
  unsigned s = *seed;
  __comus_atomic_begin();
  if (some && s >= least && s <= most)
    repeats();
  if (!some || s < least)
    least = s;
  if (!some || s > most)
    most = s;
  some = 1;
  __comus_atomic_end();
  *seed = __comus_nondet_uint();
  return any_below_2_31();
}

/* POSIX tells how these are computed. */
double drand48(void) {
  repeats();
  double r = __comus_nondet_double();
  __comus_assume(r >= 0 && r < 1);
  return r;
}

long lrand48(void) {
  repeats();
  return any_below_2_31();
}

long mrand48(void) {
  repeats();
  return __comus_nondet_int();
}

void srand48(long seed) { (void)seed; }

/* A shell may do anything outside of the program, which gets the status. */
int system(const char *command) {
  if (!command)
    return __comus_nondet_bool();
  (void)*command;
  int r = __comus_nondet_int();
  if (r == -1)
    errno = EAGAIN;
  return r;
}
