/* tarn_math_erfcf.h - 1 - erf(x), float. */
#ifndef TARN_MATH_ERFCF_H
#define TARN_MATH_ERFCF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_erfcf(float x);
TARN_END_C

#endif /* TARN_MATH_ERFCF_H */
