/* tarn_math_asinf.h - arc sine, float. */
#ifndef TARN_MATH_ASINF_H
#define TARN_MATH_ASINF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_asinf(float x);
TARN_END_C

#endif /* TARN_MATH_ASINF_H */
