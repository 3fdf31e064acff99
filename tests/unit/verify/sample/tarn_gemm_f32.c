#include "tarn_gemm_f32.h"

void tarn_gemm_f32(const float *x, const float *w, const float *b, float *y, int32_t inputs, int32_t outputs,
                   float low) {
  int32_t o;
  int32_t i;
  for (o = 0; o < outputs; ++o) {
    float sum = b[o];
    for (i = 0; i < inputs; ++i) {
      sum += x[i] * w[i];
    }
    w += inputs;
    y[o] = (sum > low) ? sum : low;
  }
}
