#include "quantize/logarithm.h"

#include <cmath>
#include <limits>

namespace tarn::quantize {

namespace {

constexpr double kLog2 = 0.69314718055994530942, kLog10 = 2.30258509299404568402, kHalfRoot = 0.70710678118654752440;
// 1 / 25, 1 / 23, ..., 1: of the series. s is at most 0.172, and s^27 / 27 below 2^-70.
constexpr double kOdd[] = {1.0 / 25, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                           1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};

}  // namespace

double natural_log(double x) {
  if (!(x > 0)) return -std::numeric_limits<double>::infinity();
  if (std::isinf(x)) return x;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < kHalfRoot) m *= 2, --exponent;
  // log m = 2 (s + s^3 / 3 + s^5 / 5 + ...)
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
  for (const double part : kOdd) sum = sum * square + part;
  return exponent * kLog2 + 2 * s * sum;
}

double decibels_of(double ratio) { return 10 / kLog10 * natural_log(ratio); }

}  // namespace tarn::quantize
