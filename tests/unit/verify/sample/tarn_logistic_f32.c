#include "tarn_logistic_f32.h"

#include <math.h>

void tarn_logistic_f32(const float *x, float *y, int32_t count) {
  int32_t i;
  for (i = 0; i < count; ++i) {
    y[i] = 1.0f / (1.0f + expf(-x[i]));
  }
}
