/* SPDX-License-Identifier: MIT-0
 * What reductions have in common. */
#ifndef TARN_REDUCE_H
#define TARN_REDUCE_H

#include "tarn.h"

/* Result (a, b, c, d), with the kept axes' indices, and column j of `columns` neighbours in x and in y, is made of the
 * elements x[a * kept_step[0] + b * kept_step[1] + ... + e * reduced_step[0] + ... + j] over the reduced axes' indices e, f,
 * g, h. count: how many elements a result is made of. */
typedef struct {
    int32_t kept[4], kept_step[4], reduced[4], reduced_step[4], columns, count;
} tarn_reduce_params;

#endif
