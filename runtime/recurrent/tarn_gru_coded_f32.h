/* SPDX-License-Identifier: MIT-0
 * What GRU kernels over coded weights need to know. */
#ifndef TARN_GRU_CODED_F32_H
#define TARN_GRU_CODED_F32_H

#include "tarn_gru_core_f32.h"
#include "tarn_recurrent_coded_f32.h"

typedef struct {
    tarn_gru_f32_params plain;  /* `packed` is set */
    tarn_coded_layout_f32 w, r;
} tarn_gru_coded_f32_params;

#endif
