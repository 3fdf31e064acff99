/* SPDX-License-Identifier: MIT-0
 * What running sums and products have in common. */
#ifndef TARN_SCAN_H
#define TARN_SCAN_H

#include "tarn.h"

/* Dense, with rank <= 8 axes of dims[i] elements. exclusive: an element is made of those before it only; reverse: of those
 * after it. */
typedef struct {
    int32_t rank, dims[8], exclusive, reverse;
} tarn_scan_params;

#endif
