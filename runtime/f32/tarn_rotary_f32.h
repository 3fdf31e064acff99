/* SPDX-License-Identifier: MIT-0
 * Rotary position embedding: pairs of elements of each row are turned by angles from tables. */
#ifndef TARN_ROTARY_F32_H
#define TARN_ROTARY_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* x and y: dims[0] times dims[1] times dims[2] rows of `size` elements; `half` pairs of each turn, the rest is copied.
 * interleaved: a pair are neighbours; else its second element is `half` behind the first. A row's cosines and sines begin
 * step[i] elements further for each index i; those of the second elements stand `second` behind those of the first. */
typedef struct {
    int32_t dims[3], step[3];
    int32_t size, half, interleaved, second;
} tarn_rotary_f32_params;

/* y may be x. */
TARN_API void tarn_rotary_f32(const tarn_rotary_f32_params *p, const tarn_f32 *x, const tarn_f32 *cosines, const tarn_f32 *sines,
                              tarn_f32 *y);

TARN_END_C
#endif
