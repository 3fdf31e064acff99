/* SPDX-License-Identifier: MIT-0
 * What GRU kernels over coded weights need to know, sequences being codes. */
#ifndef TARN_GRU_CODED_S8_H
#define TARN_GRU_CODED_S8_H

#include "tarn_gru_coded_f32.h"
#include "tarn_recurrent_codes_s8.h"

typedef struct {
    tarn_recurrent_codes_s8_params codes;
    tarn_gru_coded_f32_params step; /* of one step, batch and direction */
} tarn_gru_coded_s8_params;

#endif
