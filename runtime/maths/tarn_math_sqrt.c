/* tarn_math_sqrt.c - the FPU's root where there is one for doubles; else the integer root, rounded by an exact
 * comparison. Both are correctly rounded, hence the same. */
#include "tarn_math_sqrt.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_sqrt(double x) { return sqrt(x); }
#else
#include "tarn_math_bits.h"

#if TARN_USE_ASM && defined(__ARM_FP)
#if (__ARM_FP & 8) && !defined(__aarch64__)
#define TARN_SQRT_INSTRUCTION(root, x) __asm__("vsqrt.f64 %P0, %P1" : "=w"(root) : "w"(x))
#endif
#elif TARN_USE_ASM && defined(__riscv_flen)
#if __riscv_flen >= 64
#define TARN_SQRT_INSTRUCTION(root, x) __asm__("fsqrt.d %0, %1" : "=f"(root) : "f"(x))
#endif
#elif TARN_USE_ASM && defined(__SSE2__)
#define TARN_SQRT_INSTRUCTION(root, x) __asm__("sqrtsd %1, %0" : "=x"(root) : "x"(x))
#endif

#ifdef TARN_SQRT_INSTRUCTION
TARN_API double tarn_sqrt(double x) {
  double root;
  if (!(x >= 0.0)) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  TARN_SQRT_INSTRUCTION(root, x);
  return root;
}
#else
#include "tarn_math_fixed_f64.h"
#include "tarn_math_sqrt_q64.h"

TARN_API double tarn_sqrt(double x) {
  const uint64_t bits = tarn_f64_to_bits(x);
  uint32_t b;
  uint64_t m;
  uint64_t root;
  uint64_t rest;

  if ((bits - 1u) >= TARN_F64_INF - 1u) { /* not positive and finite */
    return ((bits << 1) == 0u) || bits == TARN_F64_INF ? x : tarn_f64_from_bits(TARN_F64_NAN);
  }
  m = tarn_f64_split(bits, &b);
  if ((b & 1u) == 0u) { /* an even power of two beside m */
    m >>= 1;            /* exact: the low bits are 0 */
    b += 1u;
  }
  root = tarn_sqrt_q64(m) >> 10;  /* 54 bits, one more than the result; off by one at most */
  rest = (m << 44) - (root * root); /* of m * 2^44, two's complement: its size is far below 2^63 */
  if ((rest >> 63) != 0u) {
    root -= 1u;
  } else if (rest > (2u * root)) {
    root += 1u;
  } else {
    /* exact */
  }
  /* A root of 54 bits is never exact with its last bit set, so there are no halves to round to even. */
  return tarn_f64_from_bits(((uint64_t)((b + 1021u) >> 1) << 52) + ((root + 1u) >> 1));
}
#endif
#endif
