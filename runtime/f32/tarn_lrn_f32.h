/* SPDX-License-Identifier: MIT-0
 * Local response normalisation over neighbouring channels, channels last. */
#ifndef TARN_LRN_F32_H
#define TARN_LRN_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t pixels, channels;  /* pixels of all images */
    int32_t before, after;     /* neighbours whose squares count, at either side */
    int32_t x_pitch, y_pitch;  /* elements from one pixel to the next */
    tarn_acc_f32 alpha;        /* divided by the number of neighbours */
    tarn_acc_f32 beta, bias;
} tarn_lrn_f32_params;

/* Pixels are made upwards; within a pixel, x is read until its last channel is written. */
TARN_API void tarn_lrn_f32(const tarn_lrn_f32_params *p, const tarn_f32 *x, tarn_f32 *y);

TARN_END_C
#endif
