/* tarn_math_tanf.h - tangent of radians, float. */
#ifndef TARN_MATH_TANF_H
#define TARN_MATH_TANF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_tanf(float x);
TARN_END_C

#endif /* TARN_MATH_TANF_H */
