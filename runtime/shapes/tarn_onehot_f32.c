/* SPDX-License-Identifier: MIT-0 */
#include "tarn_onehot_f32.h"

/* The class that an index names, or -1. Written so that unsigned numbers are not compared with what is below them. */
static int32_t onehot_class_f32(tarn_acc_f32 index, int32_t depth)
{
    tarn_acc_f32 index_now = index;
    const tarn_acc_f32 end = (tarn_acc_f32)depth;
    if (!((index_now > 0) || (index_now == 0))) {
        index_now = index_now + end;
    }
    return (((index_now > 0) || (index_now == 0)) && (index_now < end)) ? (int32_t)index_now : -1;
}

TARN_API void tarn_onehot_f32(const tarn_onehot_f32_params *p, const tarn_f32 *x, const void *values, void *y)
{
    const uint8_t *off = (const uint8_t *)values;
    uint8_t *to = (uint8_t *)y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t d;
        for (d = 0; d < p->depth; ++d) {
            int32_t i;
            for (i = 0; i < p->inner; ++i) {
                const uint8_t *value = (onehot_class_f32(tarn_load_f32(x[i]), p->depth) == d) ? (off + p->bytes) : off;
                int32_t b;
                for (b = 0; b < p->bytes; ++b) {
                    *to++ = value[b];
                }
            }
        }
        x += p->inner;
    }
}
