/* SPDX-License-Identifier: MIT-0
 * What selections between two tensors have in common. */
#ifndef TARN_WHERE_H
#define TARN_WHERE_H

#include "tarn.h"

/* y, dense with rank <= 8 axes of dims[i] > 0 elements; one further along axis i moves the condition by c_step[i] elements, a
 * by a_step[i], b by b_step[i] (0: repeated). */
typedef struct {
    int32_t rank, dims[8], c_step[8], a_step[8], b_step[8];
} tarn_where_params;

#endif
