/* SPDX-License-Identifier: MIT-0
 * What RNN kernels over coded weights need to know, sequences being codes. */
#ifndef TARN_RNN_CODED_S8_H
#define TARN_RNN_CODED_S8_H

#include "tarn_rnn_coded_f32.h"
#include "tarn_recurrent_codes_s8.h"

typedef struct {
    tarn_recurrent_codes_s8_params codes;
    tarn_rnn_coded_f32_params step; /* of one step, batch and direction */
} tarn_rnn_coded_s8_params;

#endif
