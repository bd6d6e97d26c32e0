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

int rand(void) { return any_below_2_31(); }
void srand(unsigned seed) { (void)seed; }
long random(void) { return any_below_2_31(); }
void srandom(unsigned seed) { (void)seed; }

int rand_r(unsigned *seed) {
  *seed = __comus_nondet_uint();
  return any_below_2_31();
}

double drand48(void) {
  double r = __comus_nondet_double();
  __comus_assume(r >= 0 && r < 1);
  return r;
}

long lrand48(void) { return any_below_2_31(); }

long mrand48(void) { return __comus_nondet_int(); }

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
