/* tarn_math_expf.h - e to the power x, float. */
#ifndef TARN_MATH_EXPF_H
#define TARN_MATH_EXPF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_expf(float x);
TARN_END_C

#endif /* TARN_MATH_EXPF_H */
