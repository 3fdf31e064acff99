/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_global_average_s8.h"
#include "tarn_int_codes_s8.h"
#include "tarn_int_mve_sums.h"

#if TARN_INT_MVE_ASM && (TARN_INT_LOWEST_S8 == -128)
#define INT_GLOBAL_AVERAGE_MVE_S8 1

/* The sums of `count` channels, as many pixels at a time as 16 bits hold. */
static void int_global_average_sums_s8(const tarn_int_global_average_s8_params *p, const tarn_int_code_s8 *x, int32_t count,
                                       int32_t *sums)
{
    int32_t part[TARN_INT_RUN_S8];
    const tarn_int_code_s8 *x_at = x;
    int32_t left = p->pixels;
    tarn_int_mve_window w;
    int32_t i;
    w.rows = &x_at;
    w.count = 1;
    w.offset = 0;
    w.pitch = p->x_pitch;
    w.begin = 0;
    w.channels = count;
    w.sums = sums;
    for (;;) {
        w.taps = (left < TARN_INT_MVE_SUMS_MOST) ? left : TARN_INT_MVE_SUMS_MOST;
        tarn_int_mve_window_sums(&w);
        for (i = 0; (w.sums == part) && (i < count); ++i) {
            sums[i] += part[i];
        }
        x_at += (ptrdiff_t)w.taps * p->x_pitch;
        left -= w.taps;
        if (left <= 0) {
            return;
        }
        w.sums = part;
    }
}

#else
#define INT_GLOBAL_AVERAGE_MVE_S8 0
#endif

TARN_SMALL TARN_API void tarn_int_global_average_s8(const tarn_int_global_average_s8_params *p, const tarn_int_code_s8 *x, const int32_t *q,
                                         const int32_t *exceptions, tarn_int_code_s8 *y)
{
    const tarn_int_code_s8 *x_at = x;
    tarn_int_code_s8 *y_at = y;
    int32_t image;
    int32_t sums[TARN_INT_RUN_S8];
    for (image = 0; image < p->images; ++image) {
        int32_t c;
        for (c = 0; c < p->channels; c += TARN_INT_RUN_S8) {
            const int32_t left = p->channels - c;
            const int32_t count = (left < TARN_INT_RUN_S8) ? left : TARN_INT_RUN_S8;
            int32_t i = 0;
#if INT_GLOBAL_AVERAGE_MVE_S8
            int_global_average_sums_s8(p, x_at + c, count, sums);
            i = count;
#endif
            for (; i < (count - 3); i += 4) {
                int32_t four[4] = {0, 0, 0, 0};
                tarn_int_add_four_s8(four, x_at + c + i, p->pixels, p->x_pitch);
                sums[i] = four[0];
                sums[i + 1] = four[1];
                sums[i + 2] = four[2];
                sums[i + 3] = four[3];
            }
            for (; i < count; ++i) {
                sums[i] = tarn_int_add_one_s8(0, x_at + c + i, p->pixels, p->x_pitch);
            }
            tarn_int_codes_s8(&p->requant, q, exceptions, 0, sums, count, y_at + c);
        }
        x_at += (ptrdiff_t)p->pixels * p->x_pitch;
        y_at += p->y_pitch;
    }
}
