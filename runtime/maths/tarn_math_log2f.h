/* tarn_math_log2f.h - logarithm to base 2, float. */
#ifndef TARN_MATH_LOG2F_H
#define TARN_MATH_LOG2F_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_log2f(float x);
TARN_END_C

#endif /* TARN_MATH_LOG2F_H */
