/* tarn_math_to_int.h - floating-point numbers to integers, defined for every argument: towards zero, the nearer end of
 * the range beyond it, 0 for NaN. A cast alone is undefined behaviour out of range. */
#ifndef TARN_MATH_TO_INT_H
#define TARN_MATH_TO_INT_H

#include "tarn_math_bits.h"

TARN_INLINE int32_t tarn_f32_to_i32(float x) {
  if (x >= 2147483648.0f) {
    return INT32_MAX;
  }
  if (x < -2147483648.0f) {
    return INT32_MIN;
  }
  return tarn_isnanf(x) ? 0 : (int32_t)x;
}

TARN_INLINE uint32_t tarn_f32_to_u32(float x) {
  if (x >= 4294967296.0f) {
    return UINT32_MAX;
  }
  return x > 0.0f ? (uint32_t)x : 0u;
}

TARN_INLINE int64_t tarn_f32_to_i64(float x) {
  if (x >= 9223372036854775808.0f) {
    return INT64_MAX;
  }
  if (x < -9223372036854775808.0f) {
    return INT64_MIN;
  }
  return tarn_isnanf(x) ? 0 : (int64_t)x;
}

TARN_INLINE uint64_t tarn_f32_to_u64(float x) {
  if (x >= 18446744073709551616.0f) {
    return UINT64_MAX;
  }
  return x > 0.0f ? (uint64_t)x : 0u;
}

TARN_INLINE int32_t tarn_f64_to_i32(double x) {
  if (x >= 2147483648.0) {
    return INT32_MAX;
  }
  if (x <= -2147483649.0) {
    return INT32_MIN;
  }
  return tarn_isnan(x) ? 0 : (int32_t)x;
}

TARN_INLINE uint32_t tarn_f64_to_u32(double x) {
  if (x >= 4294967296.0) {
    return UINT32_MAX;
  }
  return x > 0.0 ? (uint32_t)x : 0u;
}

TARN_INLINE int64_t tarn_f64_to_i64(double x) {
  if (x >= 9223372036854775808.0) {
    return INT64_MAX;
  }
  if (x < -9223372036854775808.0) {
    return INT64_MIN;
  }
  return tarn_isnan(x) ? 0 : (int64_t)x;
}

TARN_INLINE uint64_t tarn_f64_to_u64(double x) {
  if (x >= 18446744073709551616.0) {
    return UINT64_MAX;
  }
  return x > 0.0 ? (uint64_t)x : 0u;
}

/* Nearest, halves to even; the nearer end of the range beyond it, 0 for NaN. For quantised kernels, where it replaces
 * tarn_rintf and a conversion. */
TARN_INLINE int32_t tarn_f32_round_to_i32(float x) {
  const uint32_t bits = tarn_f32_to_bits(x);
  const uint32_t exponent = (bits >> 23) & 0xffu;
  uint32_t m = (bits & 0x007fffffu) | 0x00800000u;
  const uint32_t shift = 150u - exponent;

  if (exponent < 126u) { /* below 1/2 */
    return 0;
  }
  if (exponent >= 150u) { /* an integer already */
    return tarn_f32_to_i32(x);
  }
  m = (m + ((uint32_t)1 << (shift - 1u)) - 1u + ((m >> shift) & 1u)) >> shift;
  return (bits >> 31) != 0u ? -(int32_t)m : (int32_t)m;
}

#endif /* TARN_MATH_TO_INT_H */
