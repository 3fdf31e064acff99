#ifndef TARN_LOGISTIC_F32_H
#define TARN_LOGISTIC_F32_H

#include <stdint.h>

void tarn_logistic_f32(const float *x, float *y, int32_t count);

#endif
