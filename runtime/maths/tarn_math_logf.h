/* tarn_math_logf.h - natural logarithm, float. */
#ifndef TARN_MATH_LOGF_H
#define TARN_MATH_LOGF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_logf(float x);
TARN_END_C

#endif /* TARN_MATH_LOGF_H */
