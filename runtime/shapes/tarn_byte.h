/* SPDX-License-Identifier: MIT-0
 * 8-bit codes, signed or not, by one rule: bytes of signed data have their highest bit flipped (flip is 0x80), which adds 128 to
 * codes and zero points alike; differences stay what they are. */
#ifndef TARN_BYTE_H
#define TARN_BYTE_H

#include "tarn.h"

TARN_INLINE int32_t tarn_byte(const void *codes, int32_t i, int32_t flip)
{
    return (int32_t)((const uint8_t *)codes)[i] ^ flip;
}

/* Zero point i; 0 where there are none. */
TARN_INLINE int32_t tarn_byte_zero(const void *zeros, int32_t i, int32_t flip)
{
    return (zeros != NULL) ? tarn_byte(zeros, i, flip) : flip;
}

#endif
