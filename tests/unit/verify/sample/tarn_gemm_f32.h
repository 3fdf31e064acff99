#ifndef TARN_GEMM_F32_H
#define TARN_GEMM_F32_H

#include <stdint.h>

/* y[o] = max(low, b[o] + sum over i of w[o][i] * x[i]) */
void tarn_gemm_f32(const float *x, const float *w, const float *b, float *y, int32_t inputs, int32_t outputs, float low);

#endif
