/* SPDX-License-Identifier: MIT-0
 * Mean and variance normalisation over any axes of a dense tensor. */
#ifndef TARN_MVN_F32_H
#define TARN_MVN_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t kept, reduced;               /* how many axes of either kind, at most 8 */
    int32_t kept_size[8], kept_stride[8];
    int32_t reduced_size[8], reduced_stride[8];
    tarn_acc_f32 epsilon;                /* added to the deviation */
} tarn_mvn_f32_params;

/* y may be x. */
TARN_API void tarn_mvn_f32(const tarn_mvn_f32_params *p, const tarn_f32 *x, tarn_f32 *y);

TARN_END_C
#endif
