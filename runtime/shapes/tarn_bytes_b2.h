/* SPDX-License-Identifier: MIT-0
 * Elements of 2 bytes, whatever they mean. Kernels that only move elements are written for 4 bytes; the others are that
 * text with the suffix replaced. */
#ifndef TARN_BYTES_B2_H
#define TARN_BYTES_B2_H

#include "tarn.h"

#define TARN_BYTES_B2 2

/* One load and one store where the compiler can be told that the type may alias any other; else byte by byte. */
#if defined(__GNUC__)
typedef uint16_t __attribute__((may_alias)) tarn_element_b2;
#define tarn_move_b2(to, from) \
    (*(tarn_element_b2 *)(void *)(to) = *(const tarn_element_b2 *)(const void *)(from))
#else
TARN_FORCE_INLINE void tarn_move_b2(uint8_t *to, const uint8_t *from)
{
    int32_t i;
    for (i = 0; i < TARN_BYTES_B2; ++i) {
        to[i] = from[i];
    }
}
#endif

#endif
