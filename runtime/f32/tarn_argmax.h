/* SPDX-License-Identifier: MIT-0
 * What ArgMax and ArgMin have in common. */
#ifndef TARN_ARGMAX_H
#define TARN_ARGMAX_H

#include "tarn.h"

/* x: [outer][count][inner], dense. last: of equal elements take the last, not the first. */
typedef struct {
    int32_t outer, count, inner, last;
} tarn_argmax_params;

#endif
