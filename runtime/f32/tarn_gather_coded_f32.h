/* SPDX-License-Identifier: MIT-0
 * What picking rows of a table of coded weights needs to know. */
#ifndef TARN_GATHER_CODED_F32_H
#define TARN_GATHER_CODED_F32_H

#include "tarn_coded_f32.h"
#include "tarn_index.h"

typedef struct {
    int32_t size, count, wide; /* rows of the table; indices, and whether they have 64 bits */
    tarn_coded_layout_f32 w;   /* columns: of a row */
} tarn_gather_coded_f32_params;

#endif
