/* SPDX-License-Identifier: MIT-0 */
#include "@NAME@.h"
@INCLUDES@
TARN_API void @NAME@(const @NAME@_params *p, const @IN@ *x, @OUT@ *y)
{
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
@MANY@        for (i = 0; i < p->inner; ++i) {
            const @COMPUTE@ a = @LOAD_A@;
            @STORE@
        }
@MANY_END@        x += p->x_pitch;
        y += p->y_pitch;
    }
}
