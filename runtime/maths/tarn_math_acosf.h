/* tarn_math_acosf.h - arc cosine, float. */
#ifndef TARN_MATH_ACOSF_H
#define TARN_MATH_ACOSF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_acosf(float x);
TARN_END_C

#endif /* TARN_MATH_ACOSF_H */
