/* SPDX-License-Identifier: MIT-0
 * Lp norm over whole images, channels last, as begin, add and finish: an image may arrive in any number of pieces. */
#ifndef TARN_GLOBAL_LPPOOL_F32_H
#define TARN_GLOBAL_LPPOOL_F32_H

#include "tarn_global_pool.h"
#include "tarn_types_f32.h"

TARN_BEGIN_C

/* sums: one accumulator per channel. add: `pixels` further pixels of one image. finish: y may be sums. */
TARN_API void tarn_global_lppool_f32_begin(const tarn_global_pool_params *p, tarn_acc_f32 *sums);
TARN_API void tarn_global_lppool_f32_add(const tarn_global_pool_params *p, const tarn_f32 *x, int32_t pixels, tarn_acc_f32 *sums);
TARN_API void tarn_global_lppool_f32_finish(const tarn_global_pool_params *p, const tarn_acc_f32 *sums, tarn_f32 *y);
/* All of it, for p->images images. */
TARN_API void tarn_global_lppool_f32(const tarn_global_pool_params *p, const tarn_f32 *x, tarn_f32 *y);

TARN_END_C
#endif
