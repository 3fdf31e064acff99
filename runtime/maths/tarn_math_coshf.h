/* tarn_math_coshf.h - hyperbolic cosine, float. */
#ifndef TARN_MATH_COSHF_H
#define TARN_MATH_COSHF_H

#include "tarn.h"

TARN_BEGIN_C
TARN_API float tarn_coshf(float x);
TARN_END_C

#endif /* TARN_MATH_COSHF_H */
