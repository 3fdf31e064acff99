/* SPDX-License-Identifier: MIT-0
 * The integers of quantised data, 2 to 32 bits wide. Below 8 bits they lie packed over the whole tensor, low bits first. */
#ifndef TARN_CODE_H
#define TARN_CODE_H

#include "tarn.h"

/* Code i; `least` is the type's least value, 0 for an unsigned one. */
TARN_INLINE int32_t tarn_code_get(const void *codes, int32_t bits, int32_t least, int32_t i)
{
    if (bits == 8) {
        return (least < 0) ? (int32_t)((const int8_t *)codes)[i] : (int32_t)((const uint8_t *)codes)[i];
    }
    if (bits == 16) {
        return (least < 0) ? (int32_t)((const int16_t *)codes)[i] : (int32_t)((const uint16_t *)codes)[i];
    }
    if (bits == 32) {
        return ((const int32_t *)codes)[i];
    }
    {
        const int32_t per_byte = 8 / bits;
        const uint32_t byte = ((const uint8_t *)codes)[i / per_byte];
        const int32_t code = (int32_t)((byte >> (uint32_t)(i % per_byte * bits)) & ((1u << (uint32_t)bits) - 1u));
        return (code > (least + (1 << bits) - 1)) ? (code - (1 << bits)) : code;
    }
}

/* Writes code i; of codes that share a byte the first must come first, the others in any order. */
TARN_INLINE void tarn_code_put(void *codes, int32_t bits, int32_t i, int32_t code)
{
    if (bits == 8) {
        ((uint8_t *)codes)[i] = (uint8_t)code;
    } else if (bits == 16) {
        ((uint16_t *)codes)[i] = (uint16_t)code;
    } else {
        const int32_t per_byte = 8 / bits;
        const uint32_t shift = (uint32_t)(i % per_byte * bits);
        const uint32_t field = ((uint32_t)code & ((1u << (uint32_t)bits) - 1u)) << shift;
        uint8_t *byte = (uint8_t *)codes + (i / per_byte);
        *byte = (uint8_t)((shift == 0u) ? field : (*byte | field));
    }
}

/* v, rounded to nearest with ties to even, plus the zero point, within [lo, hi] of at most 16 bits; NaN gives lo. The
 * sum stays in memory, so that no compiler takes the two steps back as one. */
TARN_FORCE_INLINE int32_t tarn_code_round(float v, int32_t zero, int32_t lo, int32_t hi)
{
    float v_now = v;
    const float least = (float)(lo - zero);
    const float most = (float)(hi - zero);
    volatile float whole;
    v_now = (v_now > least) ? v_now : least;
    v_now = (v_now < most) ? v_now : most;
    /* Numbers from 2^23 to 2^24 have no fraction: the sum is rounded to one. */
    whole = v_now + 12582912.0f;
    return (int32_t)(whole - 12582912.0f) + zero;
}

#endif
