/* Products of matrices made at run time against plain sums: random shapes, batches and zero points. Those of processors against the plain
 * kernel. */
#include <stdio.h>
#include <string.h>

#include "tarn_int_matmul_dsp_s8.h"
#include "tarn_int_matmul_mve_s8.h"
#include "tarn_int_matmul_s8.h"

static uint32_t state = 3;
static int32_t below(int32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (int32_t)((uint64_t)(state >> 8) * (uint32_t)n >> 24);
}

static int8_t a[4096];
static int8_t b[4096];
static int8_t y[4096];
static int8_t result[4096];
static int32_t columns[256];

/* The same for other processors, at result[]. */
static void other(const tarn_int_matmul_s8_params *p, int mve)
{
    memset(columns, 0x5A, sizeof columns);
    memset(result, 99, sizeof result);
    if (mve) {
        const tarn_int_matmul_mve_s8_params s = {p->requant, p->batches, p->m, p->n, p->k, p->a_batch, p->a_row, p->b_batch, p->b_row, p->b_column, p->y_batch, p->y_row,
                                                 p->a_zero, p->b_zero, p->factor, p->constant};
        tarn_int_matmul_mve_s8(&s, a, b, result);
    } else {
        const tarn_int_matmul_dsp_s8_params s = {p->requant, p->batches, p->m, p->n, p->k, p->a_batch, p->a_row, p->b_batch, p->b_row, p->b_column, p->y_batch, p->y_row,
                                                 p->a_zero, p->b_zero, p->factor, p->constant};
        tarn_int_matmul_dsp_s8(&s, a, b, result, p->k > TARN_INT_MATMUL_DSP_SHORT || below(2) == 0 ? columns : NULL);
    }
}

int main(void)
{
    int run;
    for (run = 0; run < 3000; ++run) {
        tarn_int_matmul_s8_params p = {{0, 12, 0, -1, 0, 0, -128, 127, 0, 0}, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        int32_t i, row, column, k;
        p.batches = 1 + below(3);
        p.m = 1 + below(7);
        p.n = 1 + below(11);
        p.k = 1 + below(run % 4 == 0 ? 90 : 19);
        p.m = run % 16 == 1 ? 45 + below(8) : p.m;
        p.a_row = p.k + below(3);
        p.a_batch = below(4) == 0 ? 0 : p.m * p.a_row;
        /* b may lie transposed. */
        p.b_row = below(2) == 0 ? 1 : p.n + below(3);
        p.b_column = p.b_row == 1 ? p.k + below(3) : 1;
        p.b_batch = below(4) == 0 ? 0 : p.b_row == 1 ? p.n * p.b_column : p.k * p.b_row;
        p.y_row = p.n + below(3);
        p.y_batch = p.m * p.y_row;
        p.a_zero = below(256) - 128;
        p.b_zero = below(4) == 0 ? 0 : below(256) - 128;
        /* Half of the forms have as many bits before the product as sums leave, and more behind the point. */
        if (below(2) == 0) {
            while (((int64_t)p.k * 65025 << (p.requant.pre + 1)) < INT32_MAX && below(6) != 0) {
                ++p.requant.pre;
            }
            p.requant.post = 10 + below(12);
        }
        if (below(3) == 0) {
            const int32_t half = 1 << below(p.requant.post - 2);
            p.requant.half_zone = half;
            p.requant.mask = (1 << p.requant.post) - 2 * half;
            p.requant.tie = below(half);
        } else if (below(8) == 0) {
            p.requant.mask = 0;
            p.requant.tie = below(1 << (p.requant.post - 1));
        }
        p.requant.lo = below(2) == 0 ? -128 : -below(100);
        p.factor = 1 << 20 | below(1 << 30);
        p.constant = below(1 << 16);
        for (i = 0; i < 4096; ++i) {
            a[i] = (int8_t)(below(256) - 128);
            b[i] = (int8_t)(below(256) - 128);
            y[i] = 99;
        }
        tarn_int_matmul_s8(&p, a, b, NULL, y);
        for (i = 0; i < p.batches; ++i) {
            for (row = 0; row < p.m; ++row) {
                for (column = 0; column < p.n; ++column) {
                    int32_t sum = 0;
                    for (k = 0; k < p.k; ++k) {
                        sum += (a[i * p.a_batch + row * p.a_row + k] - p.a_zero) * (b[i * p.b_batch + k * p.b_row + column * p.b_column] - p.b_zero);
                    }
                    sum = tarn_requant(&p.requant, NULL, 0, sum, p.factor, p.constant);
                    if (y[(i * p.m + row) * p.y_row + column] != sum) {
                        printf("run %d: batch %d, row %d, column %d\n", run, (int)i, (int)row, (int)column);
                        return 1;
                    }
                }
            }
        }
        for (i = (p.n < 3 ? 2 : 0); i < (p.n < 4 || p.requant.mask == 0 ? 1 : 2); ++i) {
            other(&p, i);
            if (memcmp(result, y, sizeof y) != 0) {
                printf("run %d: %s differs\n", run, i ? "mve" : "dsp");
                return 1;
            }
        }
        if (y[p.batches * p.y_batch] != 99) {
            printf("run %d writes beyond its end\n", run);
            return 1;
        }
    }
    return 0;
}
