/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_table_s8.h"

TARN_API void tarn_int_table_s8(const tarn_int_table_s8_params *p, const int8_t *x, const int8_t *table, int8_t *y)
{
    int32_t o;
    table += 128;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            y[i] = table[x[i]];
        }
        x += p->x_pitch;
        y += p->y_pitch;
    }
}
