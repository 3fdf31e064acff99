/* SPDX-License-Identifier: MIT-0
 * What LSTM kernels over coded weights need to know, sequences being codes. */
#ifndef TARN_LSTM_CODED_S8_H
#define TARN_LSTM_CODED_S8_H

#include "tarn_lstm_coded_f32.h"
#include "tarn_recurrent_codes_s8.h"

typedef struct {
    tarn_recurrent_codes_s8_params codes;
    tarn_lstm_coded_f32_params step; /* of one step, batch and direction */
} tarn_lstm_coded_s8_params;

#endif
