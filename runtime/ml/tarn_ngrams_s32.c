/* SPDX-License-Identifier: MIT-0 */
#include "tarn_ngrams_s32.h"

/* Do the numbers from x on, `step` columns apart, make this sequence? */
static int ngrams_match_s32(const tarn_s32 *x, int32_t step, const int64_t *gram, int32_t size)
{
    int32_t i;
    for (i = 0; i < size; ++i) {
        if ((int64_t)x[(ptrdiff_t)i * step] != gram[i]) {
            return 0;
        }
    }
    return 1;
}

TARN_API void tarn_ngrams_s32(const tarn_ngrams_s32_params *p, const tarn_s32 *x, const int64_t *pool, const int32_t *first,
                              const int32_t *size, const int32_t *output, float *y)
{
    const tarn_s32 *x_at = x;
    float *y_at = y;
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        int32_t g;
        for (g = 0; g < p->outputs; ++g) {
            y_at[g] = 0;
        }
        for (g = 0; g < p->grams; ++g) {
            int32_t step;
            if ((size[g] < p->least) || (size[g] > p->most)) {
                continue;
            }
            /* Gaps mean nothing to a single number: it is counted once. */
            for (step = 1; step <= ((size[g] == 1) ? 1 : (p->skips + 1)); ++step) {
                int32_t at;
                for (at = 0; (at + ((size[g] - 1) * step)) < p->columns; ++at) {
                    y_at[output[g]] += (float)ngrams_match_s32(x_at + at, step, pool + first[g], size[g]);
                }
            }
        }
        x_at += p->columns;
        y_at += p->outputs;
    }
}
