#include "compare.h"

/* A result that is very small may set errno or not: any is allowed there. */
#define MATH(T, f, args, small)                                                                  \
  do {                                                                                           \
    *model___errno_location() = errno = 0;                                                       \
    T a_ = model_##f args, b_ = f args;                                                          \
    if (!(a_ == b_ && !signbit(a_) == !signbit(b_)) && !(isnan(a_) && isnan(b_)))                \
      printf("%s of %.17g, %.17g: %.17g, want %.17g\n", #f, (double)x, (double)y, (double)a_, (double)b_), EXPECT(0); \
    if (*model___errno_location() != errno && !(errno == ERANGE && fabs(b_) < (small)))          \
      printf("%s of %.17g, %.17g (%.17g): errno %d, want %d\n", #f, (double)x, (double)y, (double)b_, *model___errno_location(), errno), EXPECT(0); \
    count_call();                                                                                \
  } while (0);
#define ONE(f) MATH(double, f, (x), 2.3e-308)
#define TWO(f) MATH(double, f, (x, y), 2.3e-308)
#define ONE_FLOAT(f) MATH(float, f, ((float)x), 1.2e-38)
#define TWO_FLOAT(f) MATH(float, f, ((float)x, (float)y), 1.2e-38)
#define INT(f) if (fabs(x) < 1e9) CALL(f, (x));
#define CLASSIFY(f) EXPECT(!model_##f(x) == !f(x) && (model_##f(x) < 0) == (f(x) < 0));

static void all_functions(double x, double y) {
  ONE(acos) ONE(asin) ONE(atan) ONE(cos) ONE(sin) ONE(tan) ONE(acosh) ONE(asinh) ONE(atanh) ONE(cosh) ONE(sinh) ONE(tanh) ONE(exp)
  ONE(exp2) ONE(expm1) ONE(log) ONE(log10) ONE(log1p) ONE(log2) ONE(cbrt) ONE(erf) ONE(erfc) ONE(lgamma) ONE(tgamma) ONE(logb)
  ONE(sqrt) ONE(ceil) ONE(floor) ONE(trunc) ONE(round) ONE(rint) ONE(nearbyint) ONE(fabs)
  TWO(atan2) TWO(pow) TWO(fmod) TWO(hypot) TWO(remainder) TWO(fdim) TWO(nextafter) TWO(fmin) TWO(fmax) TWO(copysign)
  ONE_FLOAT(acosf) ONE_FLOAT(asinf) ONE_FLOAT(atanf) ONE_FLOAT(cosf) ONE_FLOAT(sinf) ONE_FLOAT(tanf) ONE_FLOAT(acoshf)
  ONE_FLOAT(asinhf) ONE_FLOAT(atanhf) ONE_FLOAT(coshf) ONE_FLOAT(sinhf) ONE_FLOAT(tanhf) ONE_FLOAT(expf) ONE_FLOAT(exp2f)
  ONE_FLOAT(expm1f) ONE_FLOAT(logf) ONE_FLOAT(log10f) ONE_FLOAT(log1pf) ONE_FLOAT(log2f) ONE_FLOAT(cbrtf) ONE_FLOAT(erff)
  ONE_FLOAT(erfcf) ONE_FLOAT(lgammaf) ONE_FLOAT(tgammaf) ONE_FLOAT(logbf) ONE_FLOAT(sqrtf) ONE_FLOAT(ceilf) ONE_FLOAT(floorf)
  ONE_FLOAT(truncf) ONE_FLOAT(roundf) ONE_FLOAT(rintf) ONE_FLOAT(nearbyintf) ONE_FLOAT(fabsf)
  TWO_FLOAT(atan2f) TWO_FLOAT(powf) TWO_FLOAT(fmodf) TWO_FLOAT(hypotf) TWO_FLOAT(remainderf) TWO_FLOAT(fdimf)
  TWO_FLOAT(nextafterf) TWO_FLOAT(fminf) TWO_FLOAT(fmaxf) TWO_FLOAT(copysignf)
  INT(lround) INT(lroundf) INT(lrint) INT(lrintf) INT(llround) INT(llroundf) INT(llrint) INT(llrintf)
  CLASSIFY(__isnan) CLASSIFY(__isnanf) CLASSIFY(__isinf) CLASSIFY(__isinff) CLASSIFY(__finite) CLASSIFY(__finitef)
  CLASSIFY(__signbit) CLASSIFY(__signbitf) CLASSIFY(__fpclassify) CLASSIFY(__fpclassifyf)
}

static void parts(double x) {
  double y = 0;
  int n = pick(2500) - 1250;
  float f, g;
  MATH(double, modf, (x, &worlds[0].number), 0)
  MATH(double, frexp, (x, (int *)&worlds[0].out[0]), 0)
  y = n;
  MATH(double, ldexp, (x, n), 2.3e-308)
  MATH(double, scalbn, (x, n), 2.3e-308)
  MATH(double, scalbln, (x, n * 1000L), 2.3e-308)
  MATH(float, scalbnf, ((float)x, n), 1.2e-38)
  MATH(float, ldexpf, ((float)x, n), 1.2e-38)
  MATH(float, frexpf, ((float)x, (int *)&worlds[0].out[0]), 0)
  EXPECT(isnan(x) || (model_modff((float)x, &f) == modff((float)x, &g) && f == g));
  memset(worlds[0].out, 0, sizeof W->out), memset(worlds[1].out, 0, sizeof W->out), worlds[0].number = worlds[1].number;
}

void compare_math(void) {
  static const double special[] = {0, -0.0, 1, -1, 0.5, 2, -2, 3, 1e300, -1e300, 1e-310, 1e-300, HUGE_VAL, -HUGE_VAL, NAN, 710, -750, 1e10, 2.5, -2.5};
  for (int i = 0; i < 20; i++) {
    for (int k = 0; k < 20; k++)
      all_functions(special[i], special[k]);
    for (int k = 0; k < 40; k++)
      parts(special[i]);
  }
  for (int i = 0; i < 300; i++)
    all_functions((pick(200000) - 100000) / 777.0, (pick(2000) - 1000) / 77.0);
}
