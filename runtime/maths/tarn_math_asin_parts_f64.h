/* tarn_math_asin_parts_f64.h - what asin and acos share. */
#ifndef TARN_MATH_ASIN_PARTS_F64_H
#define TARN_MATH_ASIN_PARTS_F64_H

#include "tarn.h"

TARN_BEGIN_C
/* asin of m * 2^(*b-1085), at most 1/2, 2^63 <= m, in the same form. */
TARN_API uint64_t tarn_asin_parts_f64(uint32_t* b, uint64_t m);

/* asin(sqrt(z)), z in Q64, 0 < z <= 1/4, as returned * 2^(*b-1085), 2^63 <= returned. */
TARN_API uint64_t tarn_asin_root_f64(uint32_t* b, uint64_t z);
TARN_END_C

#endif /* TARN_MATH_ASIN_PARTS_F64_H */
