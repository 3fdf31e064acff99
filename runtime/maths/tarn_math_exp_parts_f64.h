/* tarn_math_exp_parts_f64.h - the exponential of a double, before rounding. */
#ifndef TARN_MATH_EXP_PARTS_F64_H
#define TARN_MATH_EXP_PARTS_F64_H

#include "tarn.h"

TARN_BEGIN_C
/* (2^f - 1) / f in Q62 for f in Q64. */
TARN_API uint64_t tarn_exp2_slope_q62(uint64_t f);

/* e^x, or e^-x when negative is not 0, of the double with these bits (no sign), 2^-60 < x < 2^11: returned * 2^(*n-63),
 * 2^63 <= returned; *n is two's complement. */
TARN_API uint64_t tarn_exp_parts_f64(uint32_t negative, uint64_t bits, uint32_t* n);
TARN_END_C

#endif /* TARN_MATH_EXP_PARTS_F64_H */
