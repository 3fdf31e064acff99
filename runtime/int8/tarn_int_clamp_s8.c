/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_clamp_s8.h"

TARN_SMALL TARN_API void tarn_int_clamp_s8(const tarn_requant_params *p, int8_t *y, int32_t pixels, int32_t channels, int32_t pitch)
{
    int8_t *y_at = y;
    int32_t pixels_left = pixels;
    if ((p->lo <= -128) && (p->hi >= 127)) {
        return;
    }
    for (; pixels_left > 0; --pixels_left) {
        int32_t c;
        for (c = 0; c < channels; ++c) {
            y_at[c] = (int8_t)tarn_requant_clamp(p, y_at[c]);
        }
        y_at += pitch;
    }
}
