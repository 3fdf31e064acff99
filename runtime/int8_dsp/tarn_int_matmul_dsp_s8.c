/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_matmul_dsp_s8.h"

/* One column of b to every second four of w; returns its sum. */
static int32_t int_matmul_dsp_column_s8(const tarn_int_matmul_dsp_s8_params *p, const int8_t *b, int8_t *w)
{
    const int8_t *from = b;
    int8_t *to = w;
    const int32_t n = p->b_row;
    const int32_t half = (p->b_zero == -128) ? 127 : -p->b_zero;
    int32_t sum = 0;
    int32_t left = p->k;
    int32_t i;
    for (; left >= 4; left -= 4) {
        const int8_t first = *from;
        const int8_t second = from[n];
        const int8_t third = from[(ptrdiff_t)2 * n];
        const int8_t fourth = from[(ptrdiff_t)3 * n];
        sum += first + second + third + fourth;
        to[0] = first;
        to[1] = second;
        to[2] = third;
        to[3] = fourth;
        from += (ptrdiff_t)4 * n;
        to += 8;
    }
    for (i = p->length - p->k + left; i > 0; i -= 4) {
        int32_t element;
        for (element = 0; element < 4; ++element) {
            to[element] = 0;
            if (left > 0) {
                to[element] = *from;
                sum += *from;
                from += n;
                --left;
            }
        }
        to += 8;
    }
    /* Behind k, what a row's sum meets: two weights for each of its pieces. */
    to = w + ((ptrdiff_t)((p->k + 3) / 4) * 8);
    for (i = 0; i < p->sums; ++i) {
        to[0] = (int8_t)half;
        to[1] = (int8_t)(-p->b_zero - half);
        to += ((i & 1) != 0) ? 6 : 2;
    }
    return sum;
}

/* n codes, a multiple of 4. */
static int32_t int_matmul_dsp_sum_s8(const int8_t *x, int32_t n)
{
    const int8_t *x_at = x;
    const int8_t *end = x + n;
    int32_t sum = 0;
    do {
#if TARN_INT_DSP_ASM
        /* As bytes that are 128 higher. */
        uint32_t four;
        __asm__("ldr %0,[%1],#4\n\teor %0,%0,#0x80808080\n\tusada8 %2,%0,%3,%2" : "=&r"(four), "+r"(x_at), "+r"(sum) : "r"(0) : "memory");
#else
        sum += x_at[0] + x_at[1] + x_at[2] + x_at[3] + 512;
        x_at += 4;
#endif
    } while (x_at != end);
    return sum - (128 * n);
}

/* All rows of a: widened, and behind each what the zero point of b meets. */
static void int_matmul_dsp_rows_s8(const tarn_int_matmul_dsp_s8_params *p, const tarn_int_conv2d_dsp_s8_params *pixels,
                                   tarn_int_conv2d_dsp_run *run, const int8_t *a)
{
    const int8_t *row = a;
    int32_t left;
    if ((p->k % 4) != 0) {
        tarn_int_conv2d_dsp_columns_s8(run, pixels, &row, 0, p->m);
        return;
    }
    for (left = p->m; left > 0; --left) {
        int16_t *behind = tarn_int_dsp_widen(run->patches + ((ptrdiff_t)4 * run->held), row, p->k);
        int32_t rest = p->length - p->k;
        int32_t sum = 0;
        int32_t i;
        if (p->sums != 0) {
            sum = int_matmul_dsp_sum_s8(row, p->k);
        }
        for (; rest > 0; rest -= 4) {
            for (i = 0; i < 2; ++i) {
                /* Elements 0 and 1, or 2 and 3 of four: these stand as 0, 2, 1, 3. */
                const int32_t most = (sum > 32767) ? 32767 : sum;
                const int32_t piece = (most < -32767) ? -32767 : most;
                behind[i] = (int16_t)piece;
                behind[i + 2] = (int16_t)piece;
                sum -= piece;
            }
            behind += 12;
        }
        row += p->a_row;
        if (++run->held == 3) {
            tarn_int_conv2d_dsp_end_s8(run, pixels);
        }
    }
}

TARN_API void tarn_int_matmul_dsp_s8(const tarn_int_matmul_dsp_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y, int32_t *w,
                                     int32_t *q, int32_t *patches, int8_t *bytes)
{
    tarn_int_conv2d_dsp_s8_params pixels = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 0, 1, 1, 1, 1, 0, 1, 0, {1, 1}, {1, 1}, {0, 0}, 0, 0, 0, 0, 0, 0, 1};
    int32_t column;
    pixels.requant = p->requant;
    pixels.inputs = p->k;
    pixels.in_pixels = p->m;
    pixels.out_pixels = p->m;
    pixels.x_pitch = p->a_row;
    pixels.y_pitch = p->y_row;
    pixels.length = p->length;
    pixels.direct = (p->length == p->k) ? 1 : 0;
    pixels.sums = p->sums;
    for (column = 0; column < p->n; column += p->columns) {
        const int8_t *a_at = a;
        int8_t *y_at = y + column;
        int32_t batch;
        pixels.outputs = ((p->n - column) < p->columns) ? (p->n - column) : p->columns;
        for (batch = 0; batch < p->batches; ++batch) {
            tarn_int_conv2d_dsp_run run;
            if ((batch == 0) || (p->b_batch != 0)) {
                const int8_t *from = b + ((ptrdiff_t)batch * p->b_batch) + ((ptrdiff_t)column * p->b_column);
                int32_t *q_at = q;
                int32_t i;
                for (i = 0; i < pixels.outputs; ++i) {
                    int8_t *to = (int8_t *)w + ((ptrdiff_t)(i & ~1) * p->length) + ((ptrdiff_t)(i & 1) * 4);
                    q_at[0] = p->a_zero * ((p->k * p->b_zero) - int_matmul_dsp_column_s8(p, from, to));
                    from += p->b_column;
                    q_at[2] = p->factor;
                    q_at[4] = p->constant;
                    q_at += ((i & 1) != 0) ? 5 : 1;
                }
                if ((i & 1) != 0) {
                    /* A column that is not there: what stands in its place is in no zone. */
                    q_at[0] = 0;
                    q_at[2] = 0;
                    q_at[4] = p->requant.mask & -p->requant.mask;
                }
            }
            tarn_int_conv2d_dsp_begin_s8(&run, &pixels, w, q, NULL, y_at, patches, bytes);
            int_matmul_dsp_rows_s8(p, &pixels, &run, a_at);
            tarn_int_conv2d_dsp_end_s8(&run, &pixels);
            a_at += p->a_batch;
            y_at += p->y_batch;
        }
    }
}
