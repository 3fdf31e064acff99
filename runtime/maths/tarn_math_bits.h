/* tarn_math_bits.h - the bits of floating-point numbers, and what can be told or done from them alone.
 * Functions that return NaN return the one positive quiet NaN, so that no machine's own NaN shows in the results. */
#ifndef TARN_MATH_BITS_H
#define TARN_MATH_BITS_H

#include "tarn.h"

#define TARN_F32_SIGN 0x80000000u
#define TARN_F32_INF 0x7f800000u
#define TARN_F32_NAN 0x7fc00000u
#define TARN_F32_ONE 0x3f800000u

#define TARN_F64_SIGN 0x8000000000000000u
#define TARN_F64_INF 0x7ff0000000000000u
#define TARN_F64_NAN 0x7ff8000000000000u
#define TARN_F64_ONE 0x3ff0000000000000u

/* A union is read through its other member: defined in C99, and by GCC and clang in C++ too. It never becomes a call of
 * memcpy, which a freestanding program may not have. */
TARN_INLINE uint32_t tarn_f32_to_bits(float x) {
#if defined(__ARM_PCS_VFP) && TARN_USE_ASM
  uint32_t bits; /* GCC 12 goes through the stack when left alone */
  __asm__("vmov %0, %1" : "=r"(bits) : "t"(x));
  return bits;
#else
  union {
    float value;
    uint32_t bits;
  } u;
  u.value = x;
  return u.bits;
#endif
}

TARN_INLINE float tarn_f32_from_bits(uint32_t bits) {
  union {
    uint32_t bits;
    float value;
  } u;
  u.bits = bits;
  return u.value;
}

TARN_INLINE uint64_t tarn_f64_to_bits(double x) {
  union {
    double value;
    uint64_t bits;
  } u;
  u.value = x;
  return u.bits;
}

TARN_INLINE double tarn_f64_from_bits(uint64_t bits) {
  union {
    uint64_t bits;
    double value;
  } u;
  u.bits = bits;
  return u.value;
}

TARN_INLINE int tarn_isnanf(float x) { return (tarn_f32_to_bits(x) & ~TARN_F32_SIGN) > TARN_F32_INF; }
TARN_INLINE int tarn_isinff(float x) { return (tarn_f32_to_bits(x) & ~TARN_F32_SIGN) == TARN_F32_INF; }
TARN_INLINE int tarn_signbitf(float x) { return (tarn_f32_to_bits(x) >> 31) != 0u; }
TARN_INLINE float tarn_fabsf(float x) { return tarn_f32_from_bits(tarn_f32_to_bits(x) & ~TARN_F32_SIGN); }
TARN_INLINE float tarn_copysignf(float magnitude, float sign) {
  return tarn_f32_from_bits((tarn_f32_to_bits(magnitude) & ~TARN_F32_SIGN) | (tarn_f32_to_bits(sign) & TARN_F32_SIGN));
}

TARN_INLINE int tarn_isnan(double x) { return (tarn_f64_to_bits(x) & ~TARN_F64_SIGN) > TARN_F64_INF; }
TARN_INLINE int tarn_isinf(double x) { return (tarn_f64_to_bits(x) & ~TARN_F64_SIGN) == TARN_F64_INF; }
TARN_INLINE int tarn_signbit(double x) { return (tarn_f64_to_bits(x) >> 63) != 0u; }
TARN_INLINE double tarn_fabs(double x) { return tarn_f64_from_bits(tarn_f64_to_bits(x) & ~TARN_F64_SIGN); }
TARN_INLINE double tarn_copysign(double magnitude, double sign) {
  return tarn_f64_from_bits((tarn_f64_to_bits(magnitude) & ~TARN_F64_SIGN) | (tarn_f64_to_bits(sign) & TARN_F64_SIGN));
}

#endif /* TARN_MATH_BITS_H */
