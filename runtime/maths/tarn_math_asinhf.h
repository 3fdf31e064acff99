/* tarn_math_asinhf.h - inverse hyperbolic sine, float. */
#ifndef TARN_MATH_ASINHF_H
#define TARN_MATH_ASINHF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_asinhf(float x);
TARN_END_C

#endif /* TARN_MATH_ASINHF_H */
