/* SPDX-License-Identifier: MIT-0 */
#include "tarn_activation_f32.h"
#include "tarn_activation.h"
#include "tarn_fn_expm1_f32.h"
#include "tarn_fn_sigmoid_f32.h"
#include "tarn_fn_softplus_f32.h"
#include "tarn_fn_tanh_f32.h"

TARN_API tarn_acc_f32 tarn_activation_f32(const tarn_activation_f32_params *p, tarn_acc_f32 v)
{
    switch (p->kind) {
    case TARN_ACTIVATION_SIGMOID:
        return tarn_fn_sigmoid_f32(v);
    case TARN_ACTIVATION_TANH:
        return tarn_fn_tanh_f32(v);
    case TARN_ACTIVATION_RELU:
        return (v < 0) ? 0 : v;
    case TARN_ACTIVATION_AFFINE:
        return (p->alpha * v) + p->beta;
    case TARN_ACTIVATION_LEAKY_RELU:
        return (v < 0) ? (p->alpha * v) : v;
    case TARN_ACTIVATION_THRESHOLDED_RELU:
        return (v >= p->alpha) ? v : 0; /* from alpha on, unlike the operator ThresholdedRelu */
    case TARN_ACTIVATION_SCALED_TANH:
        return p->alpha * tarn_fn_tanh_f32(p->beta * v);
    case TARN_ACTIVATION_HARD_SIGMOID:
        return tarn_clamp_f32((p->alpha * v) + p->beta, 0, 1);
    case TARN_ACTIVATION_ELU:
        return (v < 0) ? (p->alpha * tarn_fn_expm1_f32(v)) : v;
    case TARN_ACTIVATION_SOFTSIGN:
        return v / (1 + ((v < 0) ? -v : v));
    default:
        return tarn_fn_softplus_f32(v);
    }
}
