/* Constants that are spread out: every mantissa and every depth of short factors, at both ends of what has room for a begin;
 * products, differences and numbers of few bits at the ends of what they hold. */
#include <stdio.h>

#include "tarn_int_spread_codes.h"
#include "tarn_int_spread_exponentials.h"
#include "tarn_int_spread_factors.h"
#include "tarn_int_spread_narrow.h"
#include "tarn_int_spread_shorts.h"

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

static uint32_t state = 1;
static uint32_t next(void)
{
    state = (state * 1664525u) + 1013904223u;
    return state ^ (state >> 15);
}

static void check_exponentials(uint32_t most)
{
    uint32_t own[31];
    uint32_t y[257];
    int32_t i;
    for (i = 0; i < 31; ++i) {
        own[i] = ((i % 7) == 3) ? 0xffffffffu : next();
        if (i < 16) {
            own[i] = ((i % 5) == 0) ? most : own[i] % (most + 1u);
        }
    }
    y[256] = 12345;
    tarn_int_spread_exponentials(own, y);
    for (i = 0; i < 256; ++i) {
        const uint32_t row = own[i / 16];
        /* Long multiplication by halves of the factor. */
        uint32_t expected = row;
        if ((i % 16) != 0) {
            const uint32_t factor = own[15 + (i % 16)];
            const uint64_t low = (uint64_t)row * (factor & 0xffffu);
            const uint64_t high = ((uint64_t)row * (factor >> 16)) + (low >> 16);
            expected = (uint32_t)(high >> 16) + (uint32_t)((high >> 15) & 1u);
        }
        wrong += (y[i] != expected) ? 1 : 0;
    }
    wrong += (y[256] != 12345) ? 1 : 0;
}

/* Bit by bit. */
static uint32_t field(const uint8_t *own, int32_t at, int32_t width)
{
    uint32_t number = 0;
    int32_t i;
    for (i = 0; i < width; ++i) {
        number |= (uint32_t)((own[(at + i) / 8] >> ((at + i) % 8)) & 1) << i;
    }
    return number;
}

static void check_codes(int32_t bits, int32_t least, int32_t first)
{
    uint8_t own[256];
    int8_t y[257];
    int32_t code = first;
    int32_t i;
    for (i = 0; i < (32 * bits); ++i) {
        own[i] = (uint8_t)next();
    }
    y[256] = 99;
    tarn_int_spread_codes(own, y, bits, least, first);
    for (i = 0; i < 256; ++i) {
        wrong += ((uint8_t)y[i] != ((uint32_t)code & 255u)) ? 1 : 0;
        code += least + (int32_t)field(own, i * bits, bits);
    }
    wrong += (y[256] != 99) ? 1 : 0;
}

static void check_shorts(int32_t count, int32_t width, int32_t shift, int32_t c)
{
    static uint8_t own[2 * MOST];
    static int32_t y[MOST + 1];
    int32_t i;
    for (i = 0; i < (2 * count); ++i) {
        own[i] = (uint8_t)((i < 4) ? 255u : next());
    }
    y[count] = 12345;
    tarn_int_spread_shorts(own, y, count, width, shift, c);
    for (i = 0; i < count; ++i) {
        wrong += (y[i] != (int32_t)(((int64_t)field(own, i * width, width) << shift) + c)) ? 1 : 0;
    }
    wrong += (y[count] != 12345) ? 1 : 0;
}

static void check_narrow(int32_t count, int32_t width, int32_t least)
{
    static uint32_t own[MOST];
    static uint32_t y[(4 * MOST) + 1];
    const int32_t words = 8 / width;
    int32_t i;
    for (i = 0; i < count; ++i) {
        own[i] = (i == 0) ? 0u : (i == 1) ? 0xffffffffu : next();
    }
    y[count * words] = 12345;
    tarn_int_spread_narrow(own, y, count, width, (uint32_t)(least + 128) * 0x01010101u);
    for (i = 0; i < (4 * count * words); ++i) {
        const int32_t lane = i % 4;
        const uint32_t code = (own[i / (4 * words)] >> ((8 * lane) + (i / 4 % words * width))) & (((uint32_t)1 << width) - 1u);
        wrong += (((y[i / 4] >> (8 * lane)) & 255u) != (((uint32_t)least + code) & 255u)) ? 1 : 0;
    }
    wrong += (y[count * words] != 12345) ? 1 : 0;
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
    for (i = 0; i < 20; ++i) {
        check_exponentials((i % 2 == 0) ? 0x80000000u : next() >> 1);
        check_codes(1 + (i % 8), (i % 5) - 3, (i * 11) - 100);
        check_shorts(1 + (i * 53), 1 + ((i * 7) % 16), i % 16, (i % 2 == 0) ? 0 : (i - 10) * 1000000);
    }
    for (i = -128; i <= 112; ++i) {
        check_narrow(1 + ((i + 128) % 50), 4, i);
        check_narrow(1 + ((i + 128) % 50), 2, i + 12);
    }
    check_narrow(MOST, 4, -8);
    check_shorts(MOST, 16, 0, 2147418112);
    check_shorts(MOST, 16, 15, -2147483647 - 1);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
