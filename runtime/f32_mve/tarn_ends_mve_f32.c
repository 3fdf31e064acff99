/* SPDX-License-Identifier: MIT-0 */
#include "tarn_ends_mve_f32.h"

TARN_API void tarn_ends_mve_f32_any(const tarn_ends_mve_f32 *to, const tarn_fours_mve_f32 *sums, int32_t pixels, int32_t outputs)
{
    const tarn_fours_mve_f32 *from = sums;
    const float *r = to->r;
    float *y = to->y;
    int32_t pixel;
    for (pixel = 0; pixel < pixels; ++pixel) {
        int32_t o;
        for (o = 0; o < outputs; o += 4) {
            const tarn_some_mve_f32 some = tarn_first_mve_f32(outputs - o);
            tarn_fours_mve_f32 s = *from;
            if (r != NULL) {
                tarn_fours_mve_f32 rest;
                tarn_get_some_mve_f32(&rest, r + o, some);
                tarn_add_mve_f32(&s, &rest);
            }
            if (to->bounded != 0) {
                tarn_clamp_mve_f32(&s, to->lo, to->hi);
            }
            tarn_put_some_mve_f32(y + o, &s, some);
            ++from;
        }
        r = (r != NULL) ? (r + to->r_pitch) : NULL;
        y += to->y_pitch;
    }
}
