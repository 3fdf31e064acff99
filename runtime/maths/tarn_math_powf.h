/* tarn_math_powf.h - x to the power y, float. */
#ifndef TARN_MATH_POWF_H
#define TARN_MATH_POWF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_powf(float x, float y);
TARN_END_C

#endif /* TARN_MATH_POWF_H */
