/* SPDX-License-Identifier: MIT-0 */
#include "@NAME@.h"

#include "tarn_code.h"
@INCLUDES@
static float @INNER@(const @NAME@_params *p TARN_UNUSED, float a)
{
    const int32_t i = 0;
    float y[1];
    @STORE@
    return y[0];
}

TARN_API void @NAME@(const @NAME@_params *p, const @IN@ *x, @OUT@ *y)
{
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            const float v = @INNER@(p, (float)((int32_t)x[i] - p->x_zero) * p->x_scale);
            y[i] = (@OUT@)tarn_code_round(v / p->scale, p->zero, p->lo, p->hi);
        }
        x += p->x_pitch;
        y += p->y_pitch;
    }
}
