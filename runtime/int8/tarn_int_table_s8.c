/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_table_s8.h"

TARN_API void tarn_int_table_s8(const tarn_int_table_s8_params *p, const int8_t *x, const int8_t *table, int8_t *y)
{
    const int8_t *x_at = x;
    const int8_t *table_at = table;
    int8_t *y_at = y;
    int32_t o;
    table_at += 128;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            y_at[i] = table_at[x_at[i]];
        }
        x_at += p->x_pitch;
        y_at += p->y_pitch;
    }
}
