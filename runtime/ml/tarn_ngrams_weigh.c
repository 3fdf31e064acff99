/* SPDX-License-Identifier: MIT-0 */
#include "tarn_ngrams_weigh.h"

TARN_API void tarn_ngrams_weigh(const tarn_ngrams_weigh_params *p, const float *weights, float *y)
{
    int32_t i;
    for (i = 0; i < (p->rows * p->outputs); ++i) {
        const float weight = (weights != NULL) ? weights[i % p->outputs] : 1.0f;
        const float count = p->by_count ? y[i] : ((y[i] > 0) ? 1.0f : 0.0f);
        y[i] = count * weight;
    }
}
