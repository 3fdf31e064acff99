/* SPDX-License-Identifier: MIT-0
 * tarn_math_powi_u64.h - powers of integers, modulo 2^64. */
#ifndef TARN_MATH_POWI_U64_H
#define TARN_MATH_POWI_U64_H

#include "tarn.h"

/* base to the power of exponent, which is signed: a negative one gives 1 / base^-exponent, towards zero; 0 for a base of
 * 0. Signed bases are given by their two's complement. */
TARN_INLINE uint64_t tarn_powi_u64(uint64_t base, int64_t exponent)
{
    uint64_t result = 1;
    if (exponent < 0) {
        if (base == 1u || base + 1u == 0u) {
            return (exponent & 1) != 0 ? base : 1u;
        }
        return 0;
    }
    while (exponent > 0) {
        if ((exponent & 1) != 0) {
            result *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    return result;
}

#endif /* TARN_MATH_POWI_U64_H */
