/* SPDX-License-Identifier: MIT-0
 * What LSTM kernels over coded weights need to know. */
#ifndef TARN_LSTM_CODED_F32_H
#define TARN_LSTM_CODED_F32_H

#include "tarn_lstm_core_f32.h"
#include "tarn_recurrent_coded_f32.h"

typedef struct {
    tarn_lstm_f32_params plain;  /* `packed` is set */
    tarn_coded_layout_f32 w, r;
} tarn_lstm_coded_f32_params;

#endif
