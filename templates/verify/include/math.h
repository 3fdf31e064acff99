// <math.h> for targets whose compiler comes without a C library: the real functions of C99 that emitted code may use.
#ifndef TARN_MATH_H
#define TARN_MATH_H

typedef float float_t;
typedef double double_t;

#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)

#define TARN_MATH_1(name) \
  double name(double);    \
  float name##f(float);
#define TARN_MATH_2(name)      \
  double name(double, double); \
  float name##f(float, float);

TARN_MATH_1(acos) TARN_MATH_1(acosh) TARN_MATH_1(asin) TARN_MATH_1(asinh) TARN_MATH_1(atan) TARN_MATH_1(atanh)
TARN_MATH_1(cbrt) TARN_MATH_1(ceil) TARN_MATH_1(cos) TARN_MATH_1(cosh) TARN_MATH_1(erf) TARN_MATH_1(erfc)
TARN_MATH_1(exp) TARN_MATH_1(exp2) TARN_MATH_1(expm1) TARN_MATH_1(fabs) TARN_MATH_1(floor) TARN_MATH_1(log)
TARN_MATH_1(log10) TARN_MATH_1(log1p) TARN_MATH_1(log2) TARN_MATH_1(nearbyint) TARN_MATH_1(rint) TARN_MATH_1(round)
TARN_MATH_1(sin) TARN_MATH_1(sinh) TARN_MATH_1(sqrt) TARN_MATH_1(tan) TARN_MATH_1(tanh) TARN_MATH_1(trunc)
TARN_MATH_2(atan2) TARN_MATH_2(copysign) TARN_MATH_2(fdim) TARN_MATH_2(fmax) TARN_MATH_2(fmin) TARN_MATH_2(fmod)
TARN_MATH_2(hypot) TARN_MATH_2(pow)

#undef TARN_MATH_1
#undef TARN_MATH_2

double ldexp(double, int);
float ldexpf(float, int);
double scalbn(double, int);
float scalbnf(float, int);
double frexp(double, int *);
float frexpf(float, int *);
double modf(double, double *);
float modff(float, float *);
long lrint(double);
long lrintf(float);
long lround(double);
long lroundf(float);
double fma(double, double, double);
float fmaf(float, float, float);

#endif
