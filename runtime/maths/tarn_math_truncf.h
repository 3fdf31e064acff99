/* tarn_math_truncf.h - integer part, float. */
#ifndef TARN_MATH_TRUNCF_H
#define TARN_MATH_TRUNCF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_truncf(float x);
TARN_END_C

#endif /* TARN_MATH_TRUNCF_H */
