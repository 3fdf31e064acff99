/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_depthwise_line_s8.h"
#include "tarn_int_block_s8.h"
#include "tarn_int_depthwise_avx2.h"

/* Four channels do not fit into eight registers. */
#if defined(__ARM_ARCH) && __ARM_ARCH == 6
#define TARN_INT_DEPTHWISE_SINGLY 1
#else
#define TARN_INT_DEPTHWISE_SINGLY 0
#endif

#if TARN_INT_DEPTHWISE_SINGLY

#if TARN_USE_ASM
#define TARN_INT_DEPTHWISE_STEP __asm__ volatile("" : "+l"(sum) : : "memory")
#else
#define TARN_INT_DEPTHWISE_STEP ((void)0)
#endif
#define TARN_INT_DEPTHWISE_TAP(t)        \
    do {                                 \
        sum += w[4 * (t)] * taps[t][c];  \
        TARN_INT_DEPTHWISE_STEP;         \
    } while (0)

/* Weights of one channel, every fourth byte, times its inputs. */
TARN_NOINLINE static int32_t int_depthwise2d_sum_s8(const int8_t *const *taps, int32_t c, const int8_t *w, int32_t n)
{
    int32_t sum = 0;
    if (n == 9) {
        TARN_INT_DEPTHWISE_TAP(0);
        TARN_INT_DEPTHWISE_TAP(1);
        TARN_INT_DEPTHWISE_TAP(2);
        TARN_INT_DEPTHWISE_TAP(3);
        TARN_INT_DEPTHWISE_TAP(4);
        TARN_INT_DEPTHWISE_TAP(5);
        TARN_INT_DEPTHWISE_TAP(6);
        TARN_INT_DEPTHWISE_TAP(7);
        TARN_INT_DEPTHWISE_TAP(8);
    } else {
        do {
            TARN_INT_DEPTHWISE_TAP(0);
            ++taps;
            w += 4;
        } while (--n != 0);
    }
    return sum;
}

/* The same for all channels, where weights have no zero points. */
static void int_depthwise2d_singly_s8(const tarn_int_depthwise2d_s8_params *p, const int8_t *const *taps, const int8_t *w,
                                      const int32_t *q, const int32_t *exceptions, int8_t *y)
{
    const int32_t n = p->rows * p->taps;
    int32_t c = 0;
    while (c != p->channels) {
        const int32_t sum = q[0] + int_depthwise2d_sum_s8(taps, c, w, n);
        *y++ = (int8_t)tarn_requant(&p->requant, exceptions, c, sum, q[4], q[8]);
        ++c;
        ++q;
        ++w;
        if ((c & 3) == 0) {
            q += 8;
            w += 4 * (n - 1);
        }
    }
}

#endif

#if !TARN_INT_AVX2
/* All channels of one pixel, whose inputs the taps point at. */
static void int_depthwise2d_pixel_s8(const tarn_int_depthwise2d_s8_params *p, const int8_t *const *taps, const int8_t *w,
                                     const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t n = p->rows * p->taps;
    int32_t c;
    for (c = 0; c < p->channels; c += 4) {
        const int32_t left = p->channels - c;
        tarn_int_quad s = tarn_int_quad_begin(q_at);
        tarn_int_quad sum = {0, 0, 0, 0};
        int32_t t;
        if ((left >= 4) && (w_zero == NULL)) {
            for (t = 0; t < n; ++t) {
                const int8_t *x = taps[t] + c;
                s.a += w_at[0] * x[0];
                s.b += w_at[1] * x[1];
                s.c += w_at[2] * x[2];
                s.d += w_at[3] * x[3];
                w_at += 4;
            }
        } else {
            for (t = 0; t < n; ++t) {
                const int8_t *x = taps[t] + c;
                s.a += w_at[0] * x[0];
                sum.a += x[0];
                if (left > 1) {
                    s.b += w_at[1] * x[1];
                    sum.b += x[1];
                }
                if (left > 2) {
                    s.c += w_at[2] * x[2];
                    sum.c += x[2];
                }
                if (left > 3) {
                    s.d += w_at[3] * x[3];
                    sum.d += x[3];
                }
                w_at += 4;
            }
            if (w_zero != NULL) {
                s.a -= w_zero[c] * sum.a;
                s.b -= w_zero[c + 1] * sum.b;
                s.c -= w_zero[c + 2] * sum.c;
                s.d -= w_zero[c + 3] * sum.d;
            }
        }
        tarn_int_quad_finish(&s, &p->requant, q_at, exceptions, c, y + c, left);
        q_at += 12;
    }
}

#endif

TARN_API void tarn_int_depthwise_line_s8(const tarn_int_depthwise2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                         const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                         int32_t first, int32_t end, const int8_t **taps, int8_t *zeros)
{
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t pixel;
    int32_t i;
#if TARN_INT_AVX2
    tarn_int_avx2_form form;
    tarn_int_avx2_begin(&form, &p->requant);
#endif
    for (i = 0; i < p->channels; ++i) {
        zeros[i] = (int8_t)p->zero;
    }
    y += (ptrdiff_t)first * p->y_pitch;
    for (pixel = first; pixel < end; ++pixel) {
        int32_t row;
        i = 0;
        for (row = 0; row < p->rows; ++row) {
            int32_t col = column;
            int32_t tap;
            for (tap = 0; tap < p->taps; ++tap) {
                const int32_t here = (x[row] != NULL) && (col >= 0) && (col < p->in_pixels);
                taps[i++] = (here != 0) ? (x[row] + ((ptrdiff_t)col * p->x_pitch)) : zeros;
                col += p->dilation[1];
            }
        }
#if TARN_INT_AVX2
        if (((pixel + 4) <= end) && (tarn_int_depthwise_avx2_four(p, x, column, y) != 0)) {
            tarn_int_depthwise_avx2_pixels(p, &form, taps, (ptrdiff_t)p->stride[1] * p->x_pitch, 4, w, q, w_zero, exceptions, y);
            y += (ptrdiff_t)3 * p->y_pitch;
            column += 3 * p->stride[1];
            pixel += 3;
        } else if (((pixel + 4) <= end) &&
                   (tarn_int_depthwise_avx2_copied(p, &form, x, column, zeros, w, q, w_zero, exceptions, y) != 0)) {
            y += (ptrdiff_t)3 * p->y_pitch;
            column += 3 * p->stride[1];
            pixel += 3;
        } else {
            tarn_int_depthwise_avx2_pixels(p, &form, taps, 0, 1, w, q, w_zero, exceptions, y);
        }
#else
#if TARN_INT_DEPTHWISE_SINGLY
        if (w_zero == NULL) {
            int_depthwise2d_singly_s8(p, taps, w, q, exceptions, y);
        } else
#endif
        {
            int_depthwise2d_pixel_s8(p, taps, w, q, w_zero, exceptions, y);
        }
#endif
        y += p->y_pitch;
        column += p->stride[1];
    }
}
