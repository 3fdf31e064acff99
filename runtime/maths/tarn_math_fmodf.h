/* tarn_math_fmodf.h - exact remainder of x / y with the sign of x, float. */
#ifndef TARN_MATH_FMODF_H
#define TARN_MATH_FMODF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_fmodf(float x, float y);
TARN_END_C

#endif /* TARN_MATH_FMODF_H */
