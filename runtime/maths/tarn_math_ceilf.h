/* tarn_math_ceilf.h - least integer not below x, float. */
#ifndef TARN_MATH_CEILF_H
#define TARN_MATH_CEILF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_ceilf(float x);
TARN_END_C

#endif /* TARN_MATH_CEILF_H */
