/* tarn_math_f64_to_f32_odd.h - a double as a float on its way to a smaller format. */
#ifndef TARN_MATH_F64_TO_F32_ODD_H
#define TARN_MATH_F64_TO_F32_ODD_H

#include "tarn.h"

TARN_BEGIN_C
/* x itself if it is a float, else the one of its two neighbours whose last bit is set. A float made this way rounds to
 * float16, bfloat16 and smaller formats as the double would; one rounded to nearest first may not. */
TARN_API float tarn_f64_to_f32_odd(double x);
TARN_END_C

#endif /* TARN_MATH_F64_TO_F32_ODD_H */
