/* Constants that are spread out: every mantissa and every depth of short factors, at both ends of what has room for a begin. */
#include <stdio.h>

#include "tarn_int_spread_factors.h"

#define MOST 2048

static int wrong;

static void check(int32_t lanes, int32_t depth_bits, int32_t m, int32_t c, int32_t step)
{
    static int32_t own[MOST];
    static int32_t begins[MOST];
    static int64_t factors[MOST];
    static int32_t y[3 * MOST];
    const int32_t places = 7 + depth_bits;
    const int32_t most = (int32_t)(0x7fffffffu >> places);
    int32_t count = 128 << depth_bits;
    int32_t i;
    for (i = 0; i < count; ++i) {
        const int32_t mantissa = i & 127;
        const int32_t depth = i >> 7;
        begins[i] = (i % 5 == 0) ? most : (i % 5 == 1) ? -most - 1 : ((i * step) % (most + 1)) - (most / 2);
        own[i] = (int32_t)(((uint32_t)begins[i] << places) | ((uint32_t)depth << 7) | (uint32_t)mantissa);
        factors[i] = ((int64_t)(128 + mantissa) << 23) >> depth;
    }
    tarn_int_spread_factors(own, y, count, lanes, m, c, depth_bits);
    for (i = 0; i < count; ++i) {
        const int32_t *block = y + ((i / lanes) * lanes * 3) + (i % lanes);
        if ((block[0] != begins[i]) || (block[lanes] != (int32_t)((factors[i] * m) >> 32)) || (block[2 * lanes] != c)) {
            ++wrong;
        }
    }
}

int main(void)
{
    static const int32_t lanes[] = {1, 2, 4, 16};
    int32_t i;
    for (i = 0; i < 4; ++i) {
        int32_t bits;
        for (bits = 0; bits <= 4; ++bits) {
            check(lanes[i], bits, 0x7fffffff, -5, 7919);
            check(lanes[i], bits, 1, 1 << 20, 104729);
            check(lanes[i], bits, 1234567891, -(1 << 28), 13);
        }
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
