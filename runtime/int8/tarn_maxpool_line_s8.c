/* SPDX-License-Identifier: MIT-0 */
#include "tarn_maxpool_line_s8.h"
#include "tarn_int_mve_asm.h"

#if TARN_USE_ASM && defined(__ARM_FEATURE_DSP) && defined(__thumb2__) && defined(__ARM_FEATURE_UNALIGNED)
#define MAXPOOL_DSP_S8 1
#include <string.h>
#else
#define MAXPOOL_DSP_S8 0
#endif

#if TARN_INT_MVE_ASM

/* The assembly counts on the order. */
typedef struct {
    const tarn_s8 *const *rows;
    int32_t count;          /* rows */
    int32_t offset;         /* of the first channel in each */
    int32_t taps, pitch;    /* pixels in a row, and elements from one to the next */
    int32_t channels;
    tarn_s8 *y;
} maxpool_mve_s8;

/* All channels of a pixel, sixteen at a time. */
TARN_NAKED static void maxpool_pixel_s8(const maxpool_mve_s8 *w TARN_UNUSED)
{
    __asm__("push {r4-r10,lr}\n\tldm r0,{r1-r7}\n"
            "1:\n\tvctp.8 r6\n\tvmov.i8 q0,#0x80\n\tmov r10,r1\n\tmov r12,r2\n"
            "2:\n\tldr r0,[r10],#4\n\tcbz r0,4f\n\tadd r0,r3\n\twls lr,r4,4f\n"
            "3:\n\tvpst\n\tvldrbt.u8 q1,[r0]\n\tadd r0,r5\n\tvmax.s8 q0,q0,q1\n\tle lr,3b\n"
            "4:\n\tsubs r12,#1\n\tbne 2b\n\tvpst\n\tvstrbt.8 q0,[r7],#16\n\t"
            "adds r3,#16\n\tsubs r6,#16\n\tbgt 1b\n\tpop {r4-r10,pc}");
}

#else

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

#endif

TARN_API void tarn_maxpool_line_s8(const tarn_pool_line_params *p, const tarn_s8 *const *rows, tarn_s8 *y, int32_t first,
                                   int32_t end)
{
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        const int32_t tap0 = tarn_pool_first_tap(p, pixel);
        const int32_t taps = tarn_pool_end_tap(p, pixel, p->in_pixels) - tap0;
        const ptrdiff_t offset = (ptrdiff_t)((pixel * p->stride) - p->pad + (tap0 * p->dilation)) * p->x_pitch;
        tarn_s8 *y_at = y + ((ptrdiff_t)pixel * p->y_pitch);
#if TARN_INT_MVE_ASM
        maxpool_mve_s8 w;
        w.rows = rows;
        w.count = p->rows;
        w.offset = offset;
        w.taps = taps;
        w.pitch = p->dilation * p->x_pitch;
        w.channels = p->channels;
        w.y = y_at;
        maxpool_pixel_s8(&w);
#else
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
#endif
    }
}
