/* tarn_math_mulhi_u64.h - the high half of a 64 by 64 bit product. */
#ifndef TARN_MATH_MULHI_U64_H
#define TARN_MATH_MULHI_U64_H

#include "tarn.h"

#if TARN_GNU && defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 tarn_u128;
TARN_INLINE uint64_t tarn_mulhi_u64(uint64_t a, uint64_t b) { return (uint64_t)(((tarn_u128)a * b) >> 64); }
#define TARN_MULHI_U64_CALL 0
#else
#define TARN_MULHI_U64_CALL 1
TARN_BEGIN_C
TARN_API uint64_t tarn_mulhi_u64(uint64_t a, uint64_t b);
TARN_END_C
#endif

#endif /* TARN_MATH_MULHI_U64_H */
