/* SPDX-License-Identifier: MIT-0 */
#include "@NAME@.h"
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
    const float least = (float)(p->lo - p->zero);
    const float most = (float)(p->hi - p->zero);
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            /* To the nearest code, ties to even: 1.5 * 2^23 leaves no room for a fraction. */
            float v = @INNER@(p, (float)((int32_t)x[i] - p->x_zero) * p->x_scale) / p->scale;
            volatile float shifted;
            v = v >= least ? v : least;
            v = v <= most ? v : most;
            shifted = v + 12582912.0f;
            y[i] = (@OUT@)((int32_t)(shifted - 12582912.0f) + p->zero);
        }
        x += p->x_pitch;
        y += p->y_pitch;
    }
}
