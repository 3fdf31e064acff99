/* tarn_math_rintf.h - nearest integer, halves to even, float. */
#ifndef TARN_MATH_RINTF_H
#define TARN_MATH_RINTF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_rintf(float x);
TARN_END_C

#endif /* TARN_MATH_RINTF_H */
