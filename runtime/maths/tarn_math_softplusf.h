/* tarn_math_softplusf.h - log(1 + e^x), float. */
#ifndef TARN_MATH_SOFTPLUSF_H
#define TARN_MATH_SOFTPLUSF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_softplusf(float x);
TARN_END_C

#endif /* TARN_MATH_SOFTPLUSF_H */
