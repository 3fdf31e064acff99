/* SPDX-License-Identifier: MIT-0
 * Negative log likelihood: loss = -weight[t] * x[t] for the class t of each place; 0 where t is to be ignored. */
#ifndef TARN_NLLLOSS_F32_H
#define TARN_NLLLOSS_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* x: [outer][classes][inner], target: [outer][inner]. reduction: 0 none, y like target; 1 mean over the weights; 2 sum, y
 * one number. ignored: the class to ignore, if has_ignored. */
typedef struct {
    int32_t outer, classes, inner, reduction, has_ignored, ignored;
} tarn_nllloss_f32_params;

/* weight: by class, or null. Returns 0, or -1 if a target is no class; its loss is 0 then. */
TARN_API int tarn_nllloss_f32(const tarn_nllloss_f32_params *p, const tarn_f32 *x, const int64_t *target, const tarn_f32 *weight,
                              tarn_f32 *y);

TARN_END_C
#endif
