/* tarn_math_acoshf.h - inverse hyperbolic cosine, float. */
#ifndef TARN_MATH_ACOSHF_H
#define TARN_MATH_ACOSHF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_acoshf(float x);
TARN_END_C

#endif /* TARN_MATH_ACOSHF_H */
