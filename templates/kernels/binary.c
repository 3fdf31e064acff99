/* SPDX-License-Identifier: MIT-0 */
#include "@NAME@.h"
@INCLUDES@
TARN_API void @NAME@(const @NAME@_params *p, const @IN@ *a, const @IN_B@ *b, @OUT@ *y)
{
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        const @IN@ *pa = a;
        const @IN_B@ *pb = b;
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            const @COMPUTE@ u = @LOAD_A@;
            const @COMPUTE_B@ v = @LOAD_B@;
            @STORE@
            pa += p->a_step;
            pb += p->b_step;
        }
        a += p->a_pitch;
        b += p->b_pitch;
        y += p->y_pitch;
    }
}
