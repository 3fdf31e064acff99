/* tarn_math_sigmoidf.h - 1 / (1 + e^-x), float. */
#ifndef TARN_MATH_SIGMOIDF_H
#define TARN_MATH_SIGMOIDF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_sigmoidf(float x);
TARN_END_C

#endif /* TARN_MATH_SIGMOIDF_H */
