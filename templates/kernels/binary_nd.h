/* SPDX-License-Identifier: MIT-0
 * @NAME@: y = @TEXT@ with general broadcasting: axis i of y has dims[i] elements, and going one further along it moves a
 * by a_stride[i] elements and b by b_stride[i] (0 where the operand is repeated). y is dense. */
#ifndef @GUARD@
#define @GUARD@

#include "@INNER@.h"

TARN_BEGIN_C

/* The last two axes are done by the run kernel; `rank` counts those before them. */
typedef struct {
    @INNER@_params run;
    int32_t rank, dims[6], a_stride[6], b_stride[6], y_count;
} @NAME@_params;

TARN_API void @NAME@(const @NAME@_params *p, const @IN@ *a, const @IN_B@ *b, @OUT@ *y@MORE@);

TARN_END_C
#endif
