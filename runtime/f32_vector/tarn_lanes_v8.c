/* SPDX-License-Identifier: MIT-0 */
#include "tarn_lanes_v8.h"

TARN_API void tarn_lanes_v8_finish_some(const tarn_lanes_v8 *s, const float *r, float lo, float hi, float *y, int32_t count)
{
    float lanes[TARN_LANES_V8];
    int32_t i;
    tarn_put_v8(lanes, s);
    for (i = 0; i < count; ++i) {
        const float sum = (r != NULL) ? (lanes[i] + r[i]) : lanes[i];
        y[i] = tarn_clamp_f32(sum, lo, hi);
    }
}
