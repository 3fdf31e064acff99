/* Errors in units of the last place, and a generator of test arguments that is the same everywhere. */
#ifndef TARN_TEST_ULP_H
#define TARN_TEST_ULP_H

#include <math.h>

#include "tarn_math_bits.h"

/* What a result may be wrong by when it is wrong in kind: NaN, sign or infinity where another was due. */
#define ULP_WRONG 1e30

/* Error of y against the exact result r, in ulps of the float (double) format at r; NaN must be the one quiet NaN. */
TARN_INLINE double ulp_error_f32(float y, double r) {
  const double scale_end = 0x1.ffffffp+127; /* from here on floats round to infinity */
  int exponent;

  if (isnan(r)) {
    return tarn_f32_to_bits(y) == TARN_F32_NAN ? 0.0 : ULP_WRONG;
  }
  if (isnan(y) || !signbit(y) != !signbit(r)) {
    return ULP_WRONG;
  }
  if (isinf(r) || r == 0.0) {
    return (double)y == r ? 0.0 : ULP_WRONG;
  }
  if (isinf(y)) { /* an ulp of the binade above, as if the format had one */
    return fabs(r) >= scale_end ? 0.0 : (scale_end - fabs(r)) / 0x1p+104 + 0.5;
  }
  (void)frexp(r, &exponent);
  return fabs((double)y - r) / ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

TARN_INLINE double ulp_error_f64(double y, long double r) {
  const long double scale_end = 0x1.fffffffffffff8p+1023L;
  int exponent;

  if (isnan(r)) {
    return tarn_f64_to_bits(y) == TARN_F64_NAN ? 0.0 : ULP_WRONG;
  }
  if (isnan(y) || !signbit(y) != !signbit(r)) {
    return ULP_WRONG;
  }
  if (isinf(r) || r == 0.0L) {
    return (long double)y == r ? 0.0 : ULP_WRONG;
  }
  if (isinf(y)) {
    return fabsl(r) >= scale_end ? 0.0 : (double)((scale_end - fabsl(r)) / 0x1p+971L) + 0.5;
  }
  (void)frexpl(r, &exponent);
  return (double)(fabsl((long double)y - r) / ldexpl(1.0L, (exponent < -1021 ? -1021 : exponent) - 53));
}

/* xorshift64*, Marsaglia's shifts and a multiplication. */
TARN_INLINE uint64_t random_bits(uint64_t* state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545f4914f6cdd1du;
}

/* From first to last. */
TARN_INLINE double random_between(uint64_t* state, double first, double last) {
  return first + (last - first) * ((double)(random_bits(state) >> 11) * 0x1p-53);
}

#endif
