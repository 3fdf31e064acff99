/* tarn_math_floorf.h - largest integer not above x, float. */
#ifndef TARN_MATH_FLOORF_H
#define TARN_MATH_FLOORF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_floorf(float x);
TARN_END_C

#endif /* TARN_MATH_FLOORF_H */
