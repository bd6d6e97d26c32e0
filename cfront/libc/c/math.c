/* <math.h>, over an intrinsic: exact in the interpreter, any value where engines cannot tell. Of long
   double there is nothing. */
#include "libc.h"

union bits { double x; unsigned long long n; };

static int is_nan(double x) { return x != x; }
static int is_infinite(double x) { return x == HUGE_VAL || x == -HUGE_VAL; }

/* errno, as glibc sets it: no result for the arguments, one that is too large, or perhaps too small. */
static void note(double r, double x, double y) {
  if (is_nan(r) && !is_nan(x) && !is_nan(y))
    errno = EDOM;
  else if (is_infinite(r) && !is_infinite(x) && !is_infinite(y) && !is_nan(x) && !is_nan(y))
    errno = ERANGE;
  else if (r > -__DBL_MIN__ && r < __DBL_MIN__ && x != 0 && __comus_nondet_bool())
    errno = ERANGE;
}

static double noted(double r, double x, double y) {
  note(r, x, y);
  return r;
}

static float noted_float(float r, float x, float y) {
  note(is_infinite(r) || is_nan(r) ? r : r > -__FLT_MIN__ && r < __FLT_MIN__ ? 0 : 1, x, y);
  return r;
}

double acos(double x) { return noted(__comus_math("acos", x, 0), x, 0); }
float acosf(float x) { return noted_float(__comus_mathf("acosf", x, 0), x, 0); }
double asin(double x) { return noted(__comus_math("asin", x, 0), x, 0); }
float asinf(float x) { return noted_float(__comus_mathf("asinf", x, 0), x, 0); }
double atan(double x) { return noted(__comus_math("atan", x, 0), x, 0); }
float atanf(float x) { return noted_float(__comus_mathf("atanf", x, 0), x, 0); }
double cos(double x) { return noted(__comus_math("cos", x, 0), x, 0); }
float cosf(float x) { return noted_float(__comus_mathf("cosf", x, 0), x, 0); }
double sin(double x) { return noted(__comus_math("sin", x, 0), x, 0); }
float sinf(float x) { return noted_float(__comus_mathf("sinf", x, 0), x, 0); }
double tan(double x) { return noted(__comus_math("tan", x, 0), x, 0); }
float tanf(float x) { return noted_float(__comus_mathf("tanf", x, 0), x, 0); }
double acosh(double x) { return noted(__comus_math("acosh", x, 0), x, 0); }
float acoshf(float x) { return noted_float(__comus_mathf("acoshf", x, 0), x, 0); }
double asinh(double x) { return noted(__comus_math("asinh", x, 0), x, 0); }
float asinhf(float x) { return noted_float(__comus_mathf("asinhf", x, 0), x, 0); }
double atanh(double x) { return noted(__comus_math("atanh", x, 0), x, 0); }
float atanhf(float x) { return noted_float(__comus_mathf("atanhf", x, 0), x, 0); }
double cosh(double x) { return noted(__comus_math("cosh", x, 0), x, 0); }
float coshf(float x) { return noted_float(__comus_mathf("coshf", x, 0), x, 0); }
double sinh(double x) { return noted(__comus_math("sinh", x, 0), x, 0); }
float sinhf(float x) { return noted_float(__comus_mathf("sinhf", x, 0), x, 0); }
double tanh(double x) { return noted(__comus_math("tanh", x, 0), x, 0); }
float tanhf(float x) { return noted_float(__comus_mathf("tanhf", x, 0), x, 0); }
double exp(double x) { return noted(__comus_math("exp", x, 0), x, 0); }
float expf(float x) { return noted_float(__comus_mathf("expf", x, 0), x, 0); }
double exp2(double x) { return noted(__comus_math("exp2", x, 0), x, 0); }
float exp2f(float x) { return noted_float(__comus_mathf("exp2f", x, 0), x, 0); }
double expm1(double x) { return noted(__comus_math("expm1", x, 0), x, 0); }
float expm1f(float x) { return noted_float(__comus_mathf("expm1f", x, 0), x, 0); }
double log(double x) { return noted(__comus_math("log", x, 0), x, 0); }
float logf(float x) { return noted_float(__comus_mathf("logf", x, 0), x, 0); }
double log10(double x) { return noted(__comus_math("log10", x, 0), x, 0); }
float log10f(float x) { return noted_float(__comus_mathf("log10f", x, 0), x, 0); }
double log1p(double x) { return noted(__comus_math("log1p", x, 0), x, 0); }
float log1pf(float x) { return noted_float(__comus_mathf("log1pf", x, 0), x, 0); }
double log2(double x) { return noted(__comus_math("log2", x, 0), x, 0); }
float log2f(float x) { return noted_float(__comus_mathf("log2f", x, 0), x, 0); }
double cbrt(double x) { return noted(__comus_math("cbrt", x, 0), x, 0); }
float cbrtf(float x) { return noted_float(__comus_mathf("cbrtf", x, 0), x, 0); }
double erf(double x) { return noted(__comus_math("erf", x, 0), x, 0); }
float erff(float x) { return noted_float(__comus_mathf("erff", x, 0), x, 0); }
double erfc(double x) { return noted(__comus_math("erfc", x, 0), x, 0); }
float erfcf(float x) { return noted_float(__comus_mathf("erfcf", x, 0), x, 0); }
double lgamma(double x) { return noted(__comus_math("lgamma", x, 0), x, 0); }
float lgammaf(float x) { return noted_float(__comus_mathf("lgammaf", x, 0), x, 0); }
double tgamma(double x) { return noted(__comus_math("tgamma", x, 0), x, 0); }
float tgammaf(float x) { return noted_float(__comus_mathf("tgammaf", x, 0), x, 0); }
double logb(double x) { return __comus_math("logb", x, 0); }
float logbf(float x) { return __comus_mathf("logbf", x, 0); }
double sqrt(double x) { return noted(__comus_math("sqrt", x, 0), x, 0); }
float sqrtf(float x) { return noted_float(__comus_mathf("sqrtf", x, 0), x, 0); }
double atan2(double x, double y) { return noted(__comus_math("atan2", x, y), x, y); }
float atan2f(float x, float y) { return noted_float(__comus_mathf("atan2f", x, y), x, y); }
double pow(double x, double y) { return noted(__comus_math("pow", x, y), x, y); }
float powf(float x, float y) { return noted_float(__comus_mathf("powf", x, y), x, y); }
double fmod(double x, double y) { return noted(__comus_math("fmod", x, y), x, y); }
float fmodf(float x, float y) { return noted_float(__comus_mathf("fmodf", x, y), x, y); }
double hypot(double x, double y) { return noted(__comus_math("hypot", x, y), x, y); }
float hypotf(float x, float y) { return noted_float(__comus_mathf("hypotf", x, y), x, y); }
double remainder(double x, double y) { return noted(__comus_math("remainder", x, y), x, y); }
float remainderf(float x, float y) { return noted_float(__comus_mathf("remainderf", x, y), x, y); }
double fdim(double x, double y) { return noted(__comus_math("fdim", x, y), x, y); }
float fdimf(float x, float y) { return noted_float(__comus_mathf("fdimf", x, y), x, y); }
double nextafter(double x, double y) { return noted(__comus_math("nextafter", x, y), x, y); }
float nextafterf(float x, float y) { return noted_float(__comus_mathf("nextafterf", x, y), x, y); }
double ceil(double x) { return __comus_math("ceil", x, 0); }
float ceilf(float x) { return __comus_mathf("ceilf", x, 0); }
double floor(double x) { return __comus_math("floor", x, 0); }
float floorf(float x) { return __comus_mathf("floorf", x, 0); }
double trunc(double x) { return __comus_math("trunc", x, 0); }
float truncf(float x) { return __comus_mathf("truncf", x, 0); }
double round(double x) { return __comus_math("round", x, 0); }
float roundf(float x) { return __comus_mathf("roundf", x, 0); }
double rint(double x) { return __comus_math("rint", x, 0); }
float rintf(float x) { return __comus_mathf("rintf", x, 0); }
double nearbyint(double x) { return __comus_math("nearbyint", x, 0); }
float nearbyintf(float x) { return __comus_mathf("nearbyintf", x, 0); }
double fmin(double x, double y) { return __comus_math("fmin", x, y); }
float fminf(float x, float y) { return __comus_mathf("fminf", x, y); }
double fmax(double x, double y) { return __comus_math("fmax", x, y); }
float fmaxf(float x, float y) { return __comus_mathf("fmaxf", x, y); }
double copysign(double x, double y) { return __comus_math("copysign", x, y); }
float copysignf(float x, float y) { return __comus_mathf("copysignf", x, y); }

double fabs(double x) { return __builtin_fabs(x); }
float fabsf(float x) { return __builtin_fabsf(x); }

/* The conversion is undefined where the result does not fit. */
long lround(double x) { return (long)round(x); }
long lroundf(float x) { return (long)roundf(x); }
long lrint(double x) { return (long)rint(x); }
long lrintf(float x) { return (long)rintf(x); }
long long llround(double x) { return (long long)round(x); }
long long llroundf(float x) { return (long long)roundf(x); }
long long llrint(double x) { return (long long)rint(x); }
long long llrintf(float x) { return (long long)rintf(x); }

double modf(double x, double *whole) {
  *whole = is_infinite(x) ? x : trunc(x);
  return copysign(is_infinite(x) ? 0 : x - *whole, x);
}

float modff(float x, float *whole) {
  double w, r = modf(x, &w);
  *whole = (float)w;
  return (float)r;
}

static int exponent_of(double x) {
  union bits b = {x};
  return (int)(b.n >> 52 & 0x7ff);
}

double frexp(double x, int *exponent) {
  *exponent = 0;
  if (x == 0 || is_nan(x) || is_infinite(x))
    return x;
  if (exponent_of(x) == 0) {
    x *= 0x1p64;
    *exponent = -64;
  }
  union bits b = {x};
  *exponent += exponent_of(x) - 1022;
  b.n = (b.n & ~(0x7ffULL << 52)) | 1022ULL << 52;
  return b.x;
}

float frexpf(float x, int *exponent) { return (float)frexp(x, exponent); }

static double power_of_two(int n) {
  union bits b = {.n = (unsigned long long)(1023 + n) << 52};
  return b.x;
}

/* Steps of which none rounds but the last. */
double scalbn(double x, int n) {
  double y = x;
  for (int i = 0; i < 2 && n > 1023; i++) {
    y *= 0x1p1023;
    n -= 1023;
  }
  for (int i = 0; i < 2 && n < -1022; i++) {
    y *= 0x1p-969;
    n += 969;
  }
  n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
  y *= power_of_two(n);
  if (x != 0 && !is_nan(x) && !is_infinite(x) && (is_infinite(y) || y == 0))
    errno = ERANGE;
  return y;
}

double ldexp(double x, int n) { return scalbn(x, n); }
double scalbln(double x, long n) { return scalbn(x, n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n); }

float scalbnf(float x, int n) {
  float y = (float)scalbn(x, n);
  if (x != 0 && !is_nan(x) && !is_infinite(x) && (is_infinite(y) || y == 0))
    errno = ERANGE;
  return y;
}

float ldexpf(float x, int n) { return scalbnf(x, n); }

/* What isnan and its like call with other compilers than gcc. */
int __isnan(double x) { return is_nan(x); }
int __isnanf(float x) { return is_nan(x); }
int __isinf(double x) { return is_infinite(x) ? x > 0 ? 1 : -1 : 0; }
int __isinff(float x) { return __isinf(x); }
int __finite(double x) { return !is_nan(x) && !is_infinite(x); }
int __finitef(float x) { return __finite(x); }

int __signbit(double x) {
  union bits b = {x};
  return (int)(b.n >> 63);
}

int __signbitf(float x) { return __signbit(x); }

/* FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL */
int __fpclassify(double x) { return is_nan(x) ? 0 : is_infinite(x) ? 1 : x == 0 ? 2 : exponent_of(x) == 0 ? 3 : 4; }

int __fpclassifyf(float x) {
  return is_nan(x) ? 0 : is_infinite(x) ? 1 : x == 0 ? 2 : x > -__FLT_MIN__ && x < __FLT_MIN__ ? 3 : 4;
}
