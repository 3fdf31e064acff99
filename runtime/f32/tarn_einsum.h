/* SPDX-License-Identifier: MIT-0
 * What sums of products over named axes have in common. */
#ifndef TARN_EINSUM_H
#define TARN_EINSUM_H

#include "tarn.h"

/* y is dense, with rank <= 8 axes of dims[i] elements; one further along axis i moves a by a_step[i] elements, b by b_step[i].
 * Each of its elements is a sum over sum_rank <= 8 more axes, likewise. */
typedef struct {
    int32_t rank, dims[8], a_step[8], b_step[8];
    int32_t sum_rank, sum_dims[8], sum_a_step[8], sum_b_step[8];
} tarn_einsum_params;

#endif
