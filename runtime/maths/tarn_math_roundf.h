/* tarn_math_roundf.h - nearest integer, halves away from zero, float. */
#ifndef TARN_MATH_ROUNDF_H
#define TARN_MATH_ROUNDF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_roundf(float x);
TARN_END_C

#endif /* TARN_MATH_ROUNDF_H */
