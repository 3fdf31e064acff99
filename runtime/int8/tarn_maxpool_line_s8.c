/* SPDX-License-Identifier: MIT-0 */
#include "tarn_maxpool_line_s8.h"

#if TARN_USE_ASM && defined(__ARM_FEATURE_DSP) && defined(__thumb2__) && defined(__ARM_FEATURE_UNALIGNED)
#define MAXPOOL_DSP_S8 1
#include <string.h>
#else
#define MAXPOOL_DSP_S8 0
#endif

/* The largest of four channels under the window; `offset`: the first in each line. */
static void maxpool_four_s8(const tarn_pool_line_params *p, const tarn_s8 *const *rows, ptrdiff_t offset, int32_t taps, tarn_s8 *y)
{
    const ptrdiff_t pitch = (ptrdiff_t)p->dilation * p->x_pitch;
    int32_t row;
#if MAXPOOL_DSP_S8
    uint32_t best = 0x80808080u;
    for (row = 0; row < p->rows; ++row) {
        if (rows[row] != NULL) {
            const tarn_s8 *from = rows[row] + offset;
            int32_t tap;
            for (tap = taps; tap > 0; --tap) {
                uint32_t four;
                uint32_t unused;
                (void)memcpy(&four, from, sizeof four);
                from += pitch;
                /* Each byte of the difference says by a flag of its own which is chosen. */
                __asm__("ssub8 %1,%0,%2\n\tsel %0,%0,%2" : "+r"(best), "=&r"(unused) : "r"(four) : "cc");
                (void)unused;
            }
        }
    }
    (void)memcpy(y, &best, sizeof best);
#else
    int32_t a = INT8_MIN;
    int32_t b = INT8_MIN;
    int32_t c = INT8_MIN;
    int32_t d = INT8_MIN;
    for (row = 0; row < p->rows; ++row) {
        if (rows[row] != NULL) {
            const tarn_s8 *from = rows[row] + offset;
            int32_t tap;
            for (tap = taps; tap > 0; --tap) {
                a = (from[0] > a) ? from[0] : a;
                b = (from[1] > b) ? from[1] : b;
                c = (from[2] > c) ? from[2] : c;
                d = (from[3] > d) ? from[3] : d;
                from += pitch;
            }
        }
    }
    y[0] = (tarn_s8)a;
    y[1] = (tarn_s8)b;
    y[2] = (tarn_s8)c;
    y[3] = (tarn_s8)d;
#endif
}

TARN_API void tarn_maxpool_line_s8(const tarn_pool_line_params *p, const tarn_s8 *const *rows, tarn_s8 *y, int32_t first,
                                   int32_t end)
{
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        const int32_t tap0 = tarn_pool_first_tap(p, pixel);
        const int32_t taps = tarn_pool_end_tap(p, pixel, p->in_pixels) - tap0;
        const ptrdiff_t offset = (ptrdiff_t)((pixel * p->stride) - p->pad + (tap0 * p->dilation)) * p->x_pitch;
        tarn_s8 *y_at = y + ((ptrdiff_t)pixel * p->y_pitch);
        int32_t c = 0;
        for (; c < (p->channels - 3); c += 4) {
            maxpool_four_s8(p, rows, offset + c, taps, y_at + c);
        }
        for (; c < p->channels; ++c) {
            int32_t best = INT8_MIN;
            int32_t row;
            for (row = 0; row < p->rows; ++row) {
                if (rows[row] != NULL) {
                    const tarn_s8 *from = rows[row] + offset + c;
                    int32_t tap;
                    for (tap = taps; tap > 0; --tap) {
                        best = (*from > best) ? *from : best;
                        from += (ptrdiff_t)p->dilation * p->x_pitch;
                    }
                }
            }
            y_at[c] = (tarn_s8)best;
        }
    }
}
