/* tarn_math_log_parts_f64.h - the logarithm of a double, before rounding. */
#ifndef TARN_MATH_LOG_PARTS_F64_H
#define TARN_MATH_LOG_PARTS_F64_H

#include "tarn.h"

TARN_BEGIN_C
/* log(1 + f) / f in Q62 for f in Q64, two's complement, sqrt(1/2) - 1 < f <= sqrt(2) - 1. */
TARN_API uint64_t tarn_log1p_slope_q62(uint64_t f);

/* log(w * 2^(e-63)), 2^63 <= w, e in two's complement: returned * 2^(*b-1085), 2^63 <= returned, and negative when
 * *sign is not 0. Returns 0 when the logarithm is 0. */
TARN_API uint64_t tarn_log_parts_f64(uint32_t e, uint64_t w, uint32_t* sign, uint32_t* b);

/* log(1 + u) for u = m * 2^(*b-1085), negated when sign is not 0, -1 < u, 2^63 <= m. It has u's sign, and the same
 * form. */
TARN_API uint64_t tarn_log1p_parts_f64(uint32_t sign, uint32_t* b, uint64_t m);
TARN_END_C

#endif /* TARN_MATH_LOG_PARTS_F64_H */
