/* tarn_math_sqrtf.c - the FPU's root where there is one; else the integer root, rounded by an exact comparison. Both
 * are correctly rounded, hence the same. */
#include "tarn_math_sqrtf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_sqrtf(float x) { return sqrtf(x); }
#else
#include "tarn_math_bits.h"

#if TARN_USE_ASM && defined(__ARM_FP)
#if (__ARM_FP & 4) && !defined(__aarch64__)
#define TARN_SQRTF_INSTRUCTION(root, x) __asm__("vsqrt.f32 %0, %1" : "=t"(root) : "t"(x))
#endif
#elif TARN_USE_ASM && defined(__riscv_flen)
#define TARN_SQRTF_INSTRUCTION(root, x) __asm__("fsqrt.s %0, %1" : "=f"(root) : "f"(x))
#elif TARN_USE_ASM && defined(__SSE2__)
#define TARN_SQRTF_INSTRUCTION(root, x) __asm__("sqrtss %1, %0" : "=x"(root) : "x"(x))
#endif

#ifdef TARN_SQRTF_INSTRUCTION
TARN_API float tarn_sqrtf(float x) {
  float root;
  if (!(x >= 0.0f)) {
    return tarn_f32_from_bits(TARN_F32_NAN);
  }
  TARN_SQRTF_INSTRUCTION(root, x);
  return root;
}
#else
#include "tarn_math_fixed.h"
#include "tarn_math_sqrt_q32.h"

TARN_API float tarn_sqrtf(float x) {
  const uint32_t bits = tarn_f32_to_bits(x);
  uint32_t b;
  uint32_t m;
  uint32_t root;
  uint64_t target;

  if ((bits - 1u) >= TARN_F32_INF - 1u) { /* not positive and finite */
    return ((bits << 1) == 0u) || bits == TARN_F32_INF ? x : tarn_f32_from_bits(TARN_F32_NAN);
  }
  /* x = m * 2^(b-157) = v * 2^(2k), so the root is sqrt(v) * 2^k. */
  m = tarn_f32_split(bits, &b);
  if ((b & 1u) == 0u) {
    m >>= 1; /* exact: the low bits are 0 */
    b += 1u;
  }
  target = (uint64_t)m << 18;
  root = tarn_sqrt_q32(m) >> 7; /* 25 bits, one more than the result; off by one at most */
  if (((uint64_t)root * root) > target) {
    root -= 1u;
  } else if ((uint64_t)(root + 1u) * (root + 1u) <= target) {
    root += 1u;
  } else {
    /* exact */
  }
  /* A root of 25 bits is never exact with its last bit set, so there are no halves to round to even. */
  return tarn_f32_from_bits((((b + 125u) >> 1) << 23) + ((root + 1u) >> 1));
}
#endif
#endif
