/* tarn_math_sinhf.h - hyperbolic sine, float. */
#ifndef TARN_MATH_SINHF_H
#define TARN_MATH_SINHF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_sinhf(float x);
TARN_END_C

#endif /* TARN_MATH_SINHF_H */
