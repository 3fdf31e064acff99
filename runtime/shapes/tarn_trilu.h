/* SPDX-License-Identifier: MIT-0
 * What selections of a triangle have in common. */
#ifndef TARN_TRILU_H
#define TARN_TRILU_H

#include "tarn.h"

/* `outer` matrices of `rows` times `columns`. upper: keep what lies on and above the k-th diagonal, else on and below. */
typedef struct {
    int32_t outer, rows, columns, upper;
} tarn_trilu_params;

#endif
