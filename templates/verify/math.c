// <math.h> for targets without a C library. Everything is computed in double, by short series after an exact argument
// reduction; relative errors stay below 1e-12, so that float results are within one unit in the last place. errno is
// not set. Accuracy first: a firmware's own library will be faster where double is emulated.
#include <math.h>
#include <stdint.h>

static const double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;  // their sum is ln 2 to 86 bits
static const double kLn2 = 0x1.62e42fefa39efp-1;
static const double kHalfPi = 0x1.921fb54442d18p+0, kPi = 0x1.921fb54442d18p+1;

static uint64_t bits_of(double x) {
  union {
    double d;
    uint64_t u;
  } v = {x};
  return v.u;
}
static double from_bits(uint64_t u) {
  union {
    uint64_t u;
    double d;
  } v = {u};
  return v.d;
}

double fabs(double x) { return from_bits(bits_of(x) & ~(UINT64_C(1) << 63)); }
double copysign(double x, double sign) {
  const uint64_t top = UINT64_C(1) << 63;
  return from_bits((bits_of(x) & ~top) | (bits_of(sign) & top));
}
double fmax(double a, double b) { return isnan(a) ? b : isnan(b) ? a : a > b ? a : b; }
double fmin(double a, double b) { return isnan(a) ? b : isnan(b) ? a : a < b ? a : b; }
double fdim(double a, double b) { return isnan(a) || isnan(b) ? NAN : a > b ? a - b : 0.0; }

double trunc(double x) {
  const uint64_t u = bits_of(x);
  const int exponent = (int)((u >> 52) & 0x7ff) - 1023;
  if (exponent < 0) return copysign(0.0, x);
  if (exponent >= 52) return x;
  return from_bits(u & ~((UINT64_C(1) << (52 - exponent)) - 1));
}
double floor(double x) {
  const double t = trunc(x);
  return t > x ? t - 1.0 : t;
}
double ceil(double x) {
  const double t = trunc(x);
  return t < x ? copysign(t + 1.0, x) : t;
}
double round(double x) {
  const double t = trunc(x);
  return fabs(x - t) >= 0.5 ? t + copysign(1.0, x) : t;
}
double rint(double x) {  // ties to even, as the arithmetic itself rounds
  const double big = copysign(0x1p52, x);
  if (!(fabs(x) < 0x1p52)) return x;
  volatile double shifted = x + big;
  return copysign(shifted - big, x);
}
double nearbyint(double x) { return rint(x); }
long lrint(double x) { return (long)rint(x); }
long lround(double x) { return (long)round(x); }
double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(isinf(x) ? 0.0 : x - *whole, x);
}

double frexp(double x, int *exponent) {
  uint64_t u = bits_of(x);
  int e = (int)((u >> 52) & 0x7ff);
  *exponent = 0;
  if (e == 0x7ff || x == 0.0) return x;
  if (e == 0) {
    u = bits_of(x * 0x1p54);
    e = (int)((u >> 52) & 0x7ff) - 54;
  }
  *exponent = e - 1022;
  return from_bits((u & ~(UINT64_C(0x7ff) << 52)) | (UINT64_C(1022) << 52));
}

double ldexp(double x, int n) {
  for (; n > 1000; n -= 1000) {
    if (n > 4000) n = 4000;
    x *= 0x1p1000;
  }
  for (; n < -1000; n += 1000) {
    if (n < -4000) n = -4000;
    x *= 0x1p-1000;
  }
  return x * from_bits((uint64_t)(n + 1023) << 52);
}
double scalbn(double x, int n) { return ldexp(x, n); }

// Digit by digit: the root's next bit is set when the remainder allows it. Exact, then rounded to nearest.
double sqrt(double x) {
  uint64_t root = 0, rest = 0, mantissa;
  int exponent, i;
  if (isnan(x) || x == 0.0 || (isinf(x) && x > 0)) return x;
  if (x < 0) return NAN;
  mantissa = (uint64_t)(frexp(x, &exponent) * 0x1p53);
  if (exponent & 1) {
    exponent += 1;
  } else {
    mantissa <<= 1;
  }
  for (i = 0; i < 54; ++i) {
    rest = (rest << 2) | ((mantissa >> 52) & 3u);
    mantissa <<= 2;
    root <<= 1;
    if (rest > 2 * root) {
      rest -= 2 * root + 1;
      root += 1;
    }
  }
  root = (root >> 1) + (root & 1u);  // an exact half cannot occur: the square of 54 bits ending in 1 has more than 53
  return ldexp((double)root, exponent / 2 - 53);
}

double fmod(double x, double y) {
  double rest = fabs(x);
  const double step = fabs(y);
  int ex, ey;
  if (isnan(x) || isnan(y) || isinf(x) || step == 0.0) return NAN;
  if (isinf(y)) return x;
  frexp(step, &ey);
  while (rest >= step) {
    double part;
    frexp(rest, &ex);
    part = ldexp(step, ex - ey);
    if (part > rest) part = ldexp(step, ex - ey - 1);
    rest -= part;  // exact: both are multiples of the same unit
  }
  return copysign(rest, x);
}

double hypot(double x, double y) {
  double a = fabs(x), b = fabs(y), t;
  if (isinf(x) || isinf(y)) return HUGE_VAL;
  if (a < b) t = a, a = b, b = t;
  if (a == 0.0 || isnan(a + b)) return a + b;
  t = b / a;
  return a * sqrt(1.0 + t * t);
}

// exp(r) - 1 for |r| <= 0.35 by its Taylor series.
static double expm1_small(double r) {
  double sum = 0.0;
  int i;
  for (i = 17; i >= 2; --i) sum = (sum + 1.0) * r / i;
  return r + r * sum;
}
double exp(double x) {
  double n, r;
  if (isnan(x)) return x;
  if (x > 710.0) return HUGE_VAL;
  if (x < -746.0) return 0.0;
  n = rint(x / kLn2);
  r = (x - n * kLn2High) - n * kLn2Low;
  return ldexp(1.0 + expm1_small(r), (int)n);
}
double expm1(double x) { return x == 0.0 ? x : fabs(x) < 0.35 ? expm1_small(x) : exp(x) - 1.0; }
double exp2(double x) {
  const double n = rint(x);
  if (isnan(x) || fabs(x) > 2000.0) return exp(x);
  return ldexp(1.0 + expm1_small((x - n) * kLn2), (int)n);
}

// 2 atanh(s), the logarithm of (1 + s) / (1 - s), for |s| <= 0.18.
static double log_series(double s) {
  const double q = s * s;
  double sum = 0.0;
  int i;
  for (i = 23; i >= 3; i -= 2) sum = (sum + 1.0 / i) * q;
  return 2.0 * (s + s * sum);
}
double log(double x) {
  int n;
  double m;
  if (isnan(x) || (isinf(x) && x > 0)) return x;
  if (x == 0.0) return -HUGE_VAL;
  if (x < 0.0) return NAN;
  m = frexp(x, &n);
  if (m < 0x1.6a09e667f3bcdp-1) m *= 2.0, n -= 1;
  return n * kLn2High + (n * kLn2Low + log_series((m - 1.0) / (m + 1.0)));
}
double log1p(double x) { return fabs(x) < 0.3 ? log_series(x / (2.0 + x)) : log(1.0 + x); }
double log2(double x) {
  int n;
  const double m = frexp(x, &n);
  if (m == 0.5) return n - 1;
  return log(x) * 0x1.71547652b82fep+0;
}
double log10(double x) { return log(x) * 0x1.bcb7b1526e50ep-2; }

double pow(double x, double y) {
  const double magnitude = fabs(x);
  const int whole = trunc(y) == y;
  const int odd = whole && fabs(y) < 0x1p53 && fmod(y, 2.0) != 0.0;
  double result;
  if (y == 0.0 || x == 1.0) return 1.0;
  if (isnan(x) || isnan(y)) return NAN;
  if (isinf(y)) return magnitude == 1.0 ? 1.0 : (magnitude > 1.0) == (y > 0.0) ? HUGE_VAL : 0.0;
  if (x < 0.0 && !isinf(x) && !whole) return NAN;
  if (whole && fabs(y) <= 64.0 && magnitude > 0x1p-15 && magnitude < 0x1p15) {  // exact where the power is
    int n = (int)fabs(y);
    double factor = magnitude;
    for (result = 1.0; n > 0; n >>= 1, factor *= factor) {
      if (n & 1) result *= factor;
    }
    if (y < 0.0) result = 1.0 / result;
  } else if (magnitude == 0.0 || isinf(magnitude)) {
    result = (magnitude == 0.0) == (y > 0.0) ? 0.0 : HUGE_VAL;
  } else {
    result = exp(y * log(magnitude));
  }
  return odd ? copysign(result, x) : result;
}
double cbrt(double x) {
  double y;
  if (x == 0.0 || isnan(x) || isinf(x)) return x;
  y = exp(log(fabs(x)) / 3.0);
  y -= (y * y * y - fabs(x)) / (3.0 * y * y);
  return copysign(y, x);
}

// Sine or cosine of x + quarter * pi/2. pi/2 is subtracted in three parts: good to 1e-15 while |x| < 1e6.
static double sine(double x, int quarter) {
  const double n = rint((fabs(x) < 1e6 ? x : (x = fmod(x, 4.0 * kHalfPi))) / kHalfPi);
  const double r = ((x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a4p-34) - n * 0x1.8a2e037073458p-69;
  const double q = r * r;
  double sum = 0.0;
  int i;
  if (!isfinite(x)) return NAN;
  quarter = (quarter + (int)fmod(n, 4.0)) & 3;
  for (i = (quarter & 1) ? 18 : 19; i >= 2; i -= 2) sum = -(sum + 1.0) * q / (i * (i - 1));
  sum = (quarter & 1) ? 1.0 + sum : r + r * sum;
  return (quarter & 2) ? -sum : sum;
}
double sin(double x) { return x == 0.0 ? x : sine(x, 0); }
double cos(double x) { return sine(x, 1); }
double tan(double x) { return x == 0.0 ? x : sine(x, 0) / sine(x, 1); }

// The argument is halved twice by atan(t) = 2 atan(t / (1 + sqrt(1 + t^2))), then follows the series.
double atan(double x) {
  double t = fabs(x), q, sum = 0.0;
  const int inverse = t > 1.0;
  int i;
  if (isnan(x) || x == 0.0) return x;
  if (inverse) t = 1.0 / t;
  t = t / (1.0 + sqrt(1.0 + t * t));
  t = t / (1.0 + sqrt(1.0 + t * t));
  q = t * t;
  for (i = 25; i >= 3; i -= 2) sum = (1.0 / i - sum) * q;
  t = 4.0 * (t - t * sum);
  return copysign(inverse ? kHalfPi - t : t, x);
}
double atan2(double y, double x) {
  if (isnan(x) || isnan(y)) return NAN;
  if (isinf(x) && isinf(y)) x = copysign(1.0, x), y = copysign(1.0, y);
  if (x == 0.0) return y == 0.0 ? copysign(signbit(x) ? kPi : 0.0, y) : copysign(kHalfPi, y);
  return signbit(x) ? copysign(kPi - atan(fabs(y / x)), y) : copysign(atan(fabs(y / x)), y);
}
double asin(double x) { return fabs(x) > 1.0 ? NAN : x == 0.0 ? x : atan2(x, sqrt((1.0 - x) * (1.0 + x))); }
double acos(double x) { return fabs(x) > 1.0 ? NAN : atan2(sqrt((1.0 - x) * (1.0 + x)), x); }

double sinh(double x) {
  const double t = expm1(fabs(x) > 700.0 ? fabs(x) / 2.0 : fabs(x));
  if (x == 0.0) return x;
  if (fabs(x) > 700.0) return copysign((t / 2.0) * t, x);
  return copysign((t + t / (t + 1.0)) / 2.0, x);
}
double cosh(double x) {
  const double t = exp(fabs(x) > 700.0 ? fabs(x) / 2.0 : fabs(x));
  return fabs(x) > 700.0 ? (t / 2.0) * t : (t + 1.0 / t) / 2.0;
}
double tanh(double x) {
  double t;
  if (x == 0.0 || isnan(x)) return x;
  if (fabs(x) > 20.0) return copysign(1.0, x);
  t = expm1(2.0 * fabs(x));
  return copysign(t / (t + 2.0), x);
}
double asinh(double x) {
  const double a = fabs(x);
  if (x == 0.0 || !isfinite(x)) return x;
  if (a > 0x1p28) return copysign(log(a) + kLn2, x);
  return copysign(log1p(a + a * a / (1.0 + sqrt(1.0 + a * a))), x);
}
double acosh(double x) {
  if (x < 1.0) return NAN;
  if (x > 0x1p28) return log(x) + kLn2;
  return log1p((x - 1.0) + sqrt((x - 1.0) * (x + 1.0)));
}
double atanh(double x) {
  if (x == 0.0) return x;
  if (fabs(x) > 1.0) return NAN;
  return copysign(0.5 * log1p(2.0 * fabs(x) / (1.0 - fabs(x))), x);
}

// Abramowitz and Stegun 7.1.6 for |x| < 2.
static double erf_series(double x) {
  double term = x, sum = x;
  int i;
  for (i = 1; fabs(term) > 1e-17 * fabs(sum); ++i) {
    term *= 2.0 * x * x / (2 * i + 1);
    sum += term;
  }
  return sum * exp(-x * x) * 0x1.20dd750429b6dp+0;
}
double erfc(double x) {
  const double a = fabs(x);
  double f = a;
  int i;
  if (isnan(x)) return x;
  if (a < 2.0) return 1.0 - erf_series(x);
  for (i = 200; i >= 1; --i) f = a + (i / 2.0) / f;  // the continued fraction 7.1.14, from its far end
  f = a > 27.5 ? 0.0 : exp(-x * x) / (f * 0x1.c5bf891b4ef6bp+0);
  return x < 0.0 ? 2.0 - f : f;
}
double erf(double x) {
  if (isnan(x) || x == 0.0) return x;
  return fabs(x) < 2.0 ? erf_series(x) : copysign(1.0 - erfc(fabs(x)), x);
}

#define FLOAT_1(name) \
  float name##f(float x) { return (float)name((double)x); }
#define FLOAT_2(name) \
  float name##f(float x, float y) { return (float)name((double)x, (double)y); }

FLOAT_1(acos) FLOAT_1(acosh) FLOAT_1(asin) FLOAT_1(asinh) FLOAT_1(atan) FLOAT_1(atanh) FLOAT_1(cbrt) FLOAT_1(ceil)
FLOAT_1(cos) FLOAT_1(cosh) FLOAT_1(erf) FLOAT_1(erfc) FLOAT_1(exp) FLOAT_1(exp2) FLOAT_1(expm1) FLOAT_1(fabs)
FLOAT_1(floor) FLOAT_1(log) FLOAT_1(log10) FLOAT_1(log1p) FLOAT_1(log2) FLOAT_1(nearbyint) FLOAT_1(rint)
FLOAT_1(round) FLOAT_1(sin) FLOAT_1(sinh) FLOAT_1(sqrt) FLOAT_1(tan) FLOAT_1(tanh) FLOAT_1(trunc)
FLOAT_2(atan2) FLOAT_2(copysign) FLOAT_2(fdim) FLOAT_2(fmax) FLOAT_2(fmin) FLOAT_2(fmod) FLOAT_2(hypot) FLOAT_2(pow)

float ldexpf(float x, int n) { return (float)ldexp((double)x, n); }
float scalbnf(float x, int n) { return (float)ldexp((double)x, n); }
float frexpf(float x, int *exponent) { return (float)frexp((double)x, exponent); }
float modff(float x, float *whole) {
  double w;
  const double rest = modf((double)x, &w);
  *whole = (float)w;
  return (float)rest;
}
long lrintf(float x) { return lrint((double)x); }
long lroundf(float x) { return lround((double)x); }
float fmaf(float x, float y, float z) { return (float)((double)x * (double)y + (double)z); }

// The product in two exact parts (Dekker), then one sum: rounded once but for the lowest bit.
double fma(double x, double y, double z) {
  const double split = 0x1p27 + 1.0;
  const double p = x * y, cx = split * x, cy = split * y;
  const double hx = cx - (cx - x), lx = x - hx, hy = cy - (cy - y), ly = y - hy;
  const double e = ((hx * hy - p) + hx * ly + lx * hy) + lx * ly;
  return isfinite(cx) && isfinite(cy) && isfinite(p) ? (p + z) + e : p + z;
}
