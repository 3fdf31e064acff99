/* tarn_math_tanhf.h - hyperbolic tangent, float. */
#ifndef TARN_MATH_TANHF_H
#define TARN_MATH_TANHF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_tanhf(float x);
TARN_END_C

#endif /* TARN_MATH_TANHF_H */
