/* tarn_math_poly_q62.h - Horner's rule in 64 bits of fixed point. */
#ifndef TARN_MATH_POLY_Q62_H
#define TARN_MATH_POLY_Q62_H

#include "tarn.h"

TARN_BEGIN_C
/* c[0] + z (c[1] + z (... + z c[count-1])) for z in Q64; c and the result in two's complement with any one number of
 * fraction bits, no partial sum may overflow. */
TARN_API uint64_t tarn_poly_q62(const uint64_t* c, uint32_t count, uint64_t z);
TARN_END_C

#endif /* TARN_MATH_POLY_Q62_H */
