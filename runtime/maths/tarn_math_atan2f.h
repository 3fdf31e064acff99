/* tarn_math_atan2f.h - angle of the point (x, y), float. */
#ifndef TARN_MATH_ATAN2F_H
#define TARN_MATH_ATAN2F_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_atan2f(float y, float x);
TARN_END_C

#endif /* TARN_MATH_ATAN2F_H */
