/* SPDX-License-Identifier: MIT-0
 * @NAME@: y = @TEXT@, element by element, operands repeated where a step or pitch is 0; y may be a or b when they
 * advance alike. */
#ifndef @GUARD@
#define @GUARD@

#include "tarn.h"

TARN_BEGIN_C

/* `outer` runs of `inner` elements. A run of a begins a_pitch elements after the one before it; within a run its
 * elements are a_step (0 or 1) apart; b likewise; y is always 1 apart. */
typedef struct {
    int32_t outer, inner, a_pitch, b_pitch, y_pitch, a_step, b_step;@FIELDS@
} @NAME@_params;

TARN_API void @NAME@(const @NAME@_params *p, const @IN@ *a, const @IN_B@ *b, @OUT@ *y);

TARN_END_C
#endif
