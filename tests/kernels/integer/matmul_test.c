/* Products of matrices made at run time against plain sums: random shapes, batches and zero points. */
#include <stdio.h>

#include "tarn_int_matmul_s8.h"

static uint32_t state = 3;
static int32_t below(int32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (int32_t)((uint64_t)(state >> 8) * (uint32_t)n >> 24);
}

int main(void)
{
    static int8_t a[4096];
    static int8_t b[4096];
    static int8_t y[4096];
    int run;
    for (run = 0; run < 3000; ++run) {
        tarn_int_matmul_s8_params p = {{0, 12, 0, -1, 0, 0, -128, 127}, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0};
        int32_t i, row, column, k;
        p.batches = 1 + below(3);
        p.m = 1 + below(7);
        p.n = 1 + below(11);
        p.k = 1 + below(19);
        p.a_batch = below(4) == 0 ? 0 : p.m * p.k;
        p.b_batch = below(4) == 0 ? 0 : p.k * p.n;
        p.a_zero = below(256) - 128;
        p.b_zero = below(256) - 128;
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
                        sum += (a[i * p.a_batch + row * p.k + k] - p.a_zero) * (b[i * p.b_batch + k * p.n + column] - p.b_zero);
                    }
                    sum = tarn_requant(&p.requant, NULL, 0, sum, p.factor, p.constant);
                    if (y[(i * p.m + row) * p.n + column] != sum) {
                        printf("run %d: batch %d, row %d, column %d\n", run, (int)i, (int)row, (int)column);
                        return 1;
                    }
                }
            }
        }
        if (y[p.batches * p.m * p.n] != 99) {
            printf("run %d writes beyond its end\n", run);
            return 1;
        }
    }
    return 0;
}
