/* SPDX-License-Identifier: MIT-0
 * What discrete Fourier transforms need to know. */
#ifndef TARN_DFT_H
#define TARN_DFT_H

#include "tarn.h"

/* x and y have the given sizes but for their last axis, of x_parts and y_parts numbers: 1 for real numbers, 2 for complex ones.
 * The transform along axis a has length[a] points, whose table begins at pair table_at[a]; 0 where it is not possible. axis: the
 * one to transform, unless it is known only at run time. half: 1 when only the first half of the spectrum is made, or given. */
typedef struct {
    int32_t rank, in[8], out[8], length[8], table_at[8], x_parts, y_parts, axis, inverse, half;
} tarn_dft_params;

#endif
