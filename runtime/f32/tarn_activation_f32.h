/* SPDX-License-Identifier: MIT-0
 * One activation function of a recurrent operator, chosen when the model was generated. */
#ifndef TARN_ACTIVATION_F32_H
#define TARN_ACTIVATION_F32_H

#include "tarn_recurrent_f32.h"

TARN_BEGIN_C

TARN_API tarn_acc_f32 tarn_activation_f32(const tarn_activation_f32_params *p, tarn_acc_f32 v);

TARN_END_C
#endif
