/* SPDX-License-Identifier: MIT-0 */
#include "tarn_requant.h"

TARN_API int32_t tarn_requant_near(const tarn_requant_params *p, const int32_t *exceptions, int32_t channel,
                                   int32_t key, int32_t t)
{
    int32_t t_left = t;
    int32_t q;
    t_left -= p->half_zone;
    q = t_left >> p->post;
    if ((((q + p->parity) & 1) != 0) && ((t_left & (int32_t)(((uint32_t)1 << p->post) - 1u)) < p->tie)) {
        --q;
    }
    if (exceptions != NULL) {
        int32_t i;
        for (i = exceptions[channel]; i < exceptions[channel + 1]; i += 2) {
            const uint32_t into = (uint32_t)key - (uint32_t)exceptions[i];
            if (into < ((uint32_t)exceptions[i + 1] >> 8)) {
                const int32_t code = exceptions[i + 1] & 255;
                return (code ^ 128) - 128;
            }
        }
    }
    return tarn_requant_clamp(p, q);
}
