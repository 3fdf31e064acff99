/* SPDX-License-Identifier: MIT-0
 * What paddings that are known only at run time have in common. */
#ifndef TARN_PAD_RUN_TIME_H
#define TARN_PAD_RUN_TIME_H

#include "tarn.h"

/* Sizes of x and y, which the pads must agree with; count: how many axes the pads are given for. */
typedef struct {
    int32_t rank, mode, count;
    int32_t in[8], out[8];
} tarn_pad_run_time_params;

#endif
