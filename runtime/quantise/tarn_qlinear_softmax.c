/* SPDX-License-Identifier: MIT-0 */
#include "tarn_qlinear_softmax.h"

#include "tarn_code.h"

TARN_API void tarn_qlinear_softmax(const tarn_qlinear_softmax_params *p, const void *x, const float *table, void *y)
{
    uint8_t *to = (uint8_t *)y;
    int32_t r;
    for (r = 0; r < (p->outer * p->inner); ++r) {
        const int32_t first = (r / p->inner * p->count * p->inner) + (r % p->inner);
        int32_t most = p->lo;
        float sum = 0;
        int32_t i;
        for (i = 0; i < p->count; ++i) {
            const int32_t code = tarn_code_get(x, 8, p->lo, first + (i * p->inner));
            most = (code > most) ? code : most;
        }
        for (i = 0; i < p->count; ++i) {
            sum += table[255 - most + tarn_code_get(x, 8, p->lo, first + (i * p->inner))];
        }
        for (i = 0; i < p->count; ++i) {
            const float scaled = table[255 - most + tarn_code_get(x, 8, p->lo, first + (i * p->inner))] * p->factor;
            const float v = scaled / sum;
            to[first + (i * p->inner)] = (uint8_t)tarn_code_round(v + (float)p->zero, 0, p->lo, p->hi);
        }
    }
}
