/* SPDX-License-Identifier: MIT-0 */
#include "tarn_affinegrid_f32.h"

static tarn_acc_f32 affinegrid_place_f32(const tarn_affinegrid_f32_params *p, int32_t axis, int32_t at)
{
    const tarn_acc_f32 size = (tarn_acc_f32)p->out[axis];
    if (p->align_corners == 0) {
        return ((tarn_acc_f32)((2 * at) + 1) / size) - 1;
    }
    return (p->out[axis] <= 1) ? (tarn_acc_f32)-1 : (((tarn_acc_f32)(2 * at) / (size - 1)) - 1);
}

TARN_API void tarn_affinegrid_f32(const tarn_affinegrid_f32_params *p, const tarn_f32 *theta, tarn_f32 *y)
{
    const tarn_f32 *theta_at = theta;
    tarn_f32 *y_at = y;
    const int32_t area = p->out[1] * p->out[2];
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t at;
        for (at = 0; at < (p->out[0] * area); ++at) {
            tarn_acc_f32 place[3];
            int32_t i;
            place[0] = affinegrid_place_f32(p, 2, at % p->out[2]);
            place[1] = affinegrid_place_f32(p, 1, at / p->out[2] % p->out[1]);
            place[2] = affinegrid_place_f32(p, 0, at / area);
            for (i = 0; i < p->dims; ++i) {
                const tarn_f32 *row = theta_at + ((ptrdiff_t)i * (p->dims + 1));
                tarn_acc_f32 sum = tarn_load_f32(row[p->dims]);
                int32_t k;
                for (k = 0; k < p->dims; ++k) {
                    sum += tarn_load_f32(row[k]) * place[k];
                }
                *y_at = tarn_store_f32(sum);
                ++y_at;
            }
        }
        theta_at += (ptrdiff_t)p->dims * (p->dims + 1);
    }
}
