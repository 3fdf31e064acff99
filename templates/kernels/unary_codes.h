/* SPDX-License-Identifier: MIT-0
 * @NAME@: y = @TEXT@ of the numbers of codes, quantised, element by element; y may be x. */
#ifndef @GUARD@
#define @GUARD@

#include "tarn.h"

TARN_BEGIN_C

/* `outer` runs of `inner` elements; the runs of x and y begin x_pitch and y_pitch elements apart. */
typedef struct {
    int32_t outer, inner, x_pitch, y_pitch;
    float x_scale, scale;           /* of the codes of x, and of those of y */
    int32_t x_zero, zero, lo, hi;@FIELDS@
} @NAME@_params;

TARN_API void @NAME@(const @NAME@_params *p, const @IN@ *x, @OUT@ *y);

TARN_END_C
#endif
