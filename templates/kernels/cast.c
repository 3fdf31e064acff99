/* SPDX-License-Identifier: MIT-0 */
#include "@NAME@.h"
@INCLUDES@
TARN_API void @NAME@(const tarn_cast_params *p, const @IN@ *x, @OUT@ *y)
{
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            const @COMPUTE@ a = @LOAD@;
            @STORE@
        }
        x += p->x_pitch;
        y += p->y_pitch;
    }
}
