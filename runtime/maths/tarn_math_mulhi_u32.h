/* tarn_math_mulhi_u32.h - the high word of a 32 by 32 bit product: one instruction on most cores, a function on
 * ARMv6-M, which multiplies 32 bits to 32 bits only. */
#ifndef TARN_MATH_MULHI_U32_H
#define TARN_MATH_MULHI_U32_H

#include "tarn.h"

#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define TARN_MULHI_U32_CALL 1
#else
#define TARN_MULHI_U32_CALL 0
#endif

#if TARN_MULHI_U32_CALL
TARN_BEGIN_C
TARN_API uint32_t tarn_mulhi_u32(uint32_t a, uint32_t b);
TARN_END_C
#else
TARN_INLINE uint32_t tarn_mulhi_u32(uint32_t a, uint32_t b) { return (uint32_t)(((uint64_t)a * b) >> 32); }
#endif

/* a is read as signed (two's complement), b as unsigned: floor(a * b / 2^32), again as two's complement. */
TARN_INLINE uint32_t tarn_mulhi_su32(uint32_t a, uint32_t b) {
  return tarn_mulhi_u32(a, b) - (((a >> 31) != 0u) ? b : 0u);
}

#endif /* TARN_MATH_MULHI_U32_H */
