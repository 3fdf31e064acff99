/* SPDX-License-Identifier: MIT-0
 * New rows for a window that is a ring. */
#ifndef TARN_RING_PUT_F32_H
#define TARN_RING_PUT_F32_H

#include "tarn_ring_f32.h"

TARN_BEGIN_C

typedef struct {
    tarn_ring_params ring;
    int32_t added;  /* rows */
} tarn_ring_put_f32_params;

/* x: `added` rows, which take the places of the oldest ones of the ring y; they are its newest then. */
TARN_API void tarn_ring_put_f32(const tarn_ring_put_f32_params *p, const tarn_f32 *x, tarn_f32 *y);

TARN_END_C
#endif
