/* tarn_math_expm1_parts_f64.h - e^x - 1 for positive x, before rounding: the core of expm1, sinh and tanh. */
#ifndef TARN_MATH_EXPM1_PARTS_F64_H
#define TARN_MATH_EXPM1_PARTS_F64_H

#include "tarn.h"

TARN_BEGIN_C
/* e^x - 1 of the positive double with these bits, 2^-60 < x < 2^11: returned * 2^(*b-1085), 2^63 <= returned. */
TARN_API uint64_t tarn_expm1_parts_f64(uint64_t bits, uint32_t* b);

/* u / (1 + u) for u = m * 2^(*b-1085), 2^63 <= m, in the same form. */
TARN_API uint64_t tarn_over_1_plus_f64(uint64_t m, uint32_t* b);
TARN_END_C

#endif /* TARN_MATH_EXPM1_PARTS_F64_H */
