/* SPDX-License-Identifier: MIT-0
 * Sixteen channels at a time: what pools over whole images have in common. Text for their kernels. */
#ifndef TARN_GLOBAL_POOL_F32_H
#define TARN_GLOBAL_POOL_F32_H

#include "tarn_global_pool.h"
#include "tarn_types_f32.h"

/* How a kernel begins, goes on and ends: constant wherever tarn_global_pool_f32() is called, so that they stand in line. */
typedef void (*tarn_global_pool_begin_f32)(const tarn_global_pool_params *p, tarn_acc_f32 *sums);
typedef void (*tarn_global_pool_add_f32)(const tarn_global_pool_params *p, const tarn_f32 *x, int32_t pixels, tarn_acc_f32 *sums);
typedef void (*tarn_global_pool_finish_f32)(const tarn_global_pool_params *p, const tarn_acc_f32 *sums, tarn_f32 *y);

TARN_FORCE_INLINE void tarn_global_pool_f32(const tarn_global_pool_params *p, const tarn_f32 *x, tarn_f32 *y,
                                            tarn_global_pool_begin_f32 begin, tarn_global_pool_add_f32 add,
                                            tarn_global_pool_finish_f32 finish)
{
    const tarn_f32 *x_at = x;
    tarn_f32 *y_at = y;
    tarn_global_pool_params part = *p;
    tarn_acc_f32 sums[16];
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t c;
        for (c = 0; c < p->channels; c += 16) {
            part.channels = ((p->channels - c) < 16) ? (p->channels - c) : 16;
            begin(&part, sums);
            add(&part, x_at + c, p->pixels, sums);
            finish(&part, sums, y_at + c);
        }
        x_at += (ptrdiff_t)p->pixels * p->x_pitch;
        y_at += p->channels;
    }
}

#endif
