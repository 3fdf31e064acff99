/* tarn_transpose_* in place and elsewhere, of every size of element, against element by element; tarn_copy at every alignment of what it
 * copies from, to and in what steps. Nothing beside the result is written. */
#include "tarn_copy.h"
#include "tarn_transpose_b1.h"
#include "tarn_transpose_b2.h"
#include "tarn_transpose_b4.h"
#include "tarn_transpose_b8.h"
#ifdef TARN_TEST_TARGET
#include "semihost.h"
#else
#include <stdio.h>
#endif

#ifndef LARGEST /* matrix, in bytes */
#define LARGEST (48 * 48 * 8)
#endif
enum { MOST = LARGEST, BESIDE = 8 };

static uint64_t from_words[MOST / 8 + 2], to_words[MOST / 8 + 2];
static uint8_t expected[MOST + 2 * BESIDE];
static uint8_t *const from = (uint8_t *)from_words, *const to = (uint8_t *)to_words;

static uint32_t seed = 7u;
static int32_t below(int32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int32_t)((seed >> 10) % (uint32_t)n);
}

static void fill(uint8_t *x, int32_t n)
{
    int32_t i;
    for (i = 0; i < n; ++i) x[i] = (uint8_t)below(256);
}

static int differs(const uint8_t *x, int32_t n)
{
    int32_t i;
    for (i = 0; i < n; ++i) {
        if (x[i] != expected[i]) return 1;
    }
    return 0;
}

static void transpose(int32_t bytes, int32_t matrices, int32_t rows, int32_t columns, const void *x, void *y)
{
    const tarn_transpose_b1_params b1 = {matrices, rows, columns};
    const tarn_transpose_b2_params b2 = {matrices, rows, columns};
    const tarn_transpose_b4_params b4 = {matrices, rows, columns};
    const tarn_transpose_b8_params b8 = {matrices, rows, columns};
    if (bytes == 1) tarn_transpose_b1(&b1, x, y);
    if (bytes == 2) tarn_transpose_b2(&b2, x, y);
    if (bytes == 4) tarn_transpose_b4(&b4, x, y);
    if (bytes == 8) tarn_transpose_b8(&b8, x, y);
}

static int check_transpose(int32_t bytes, int32_t matrices, int32_t rows, int32_t columns, int32_t shift)
{
    const int32_t all = matrices * rows * columns * bytes, at = BESIDE + shift * bytes % BESIDE;
    int32_t m, r, c, b;
    fill(from, MOST + 2 * BESIDE);
    fill(to, MOST + 2 * BESIDE);
    for (b = 0; b < all + 2 * BESIDE; ++b) expected[b] = to[b];
    for (m = 0; m < matrices; ++m) {
        for (r = 0; r < rows; ++r) {
            for (c = 0; c < columns; ++c) {
                for (b = 0; b < bytes; ++b) {
                    expected[at + ((m * columns + c) * rows + r) * bytes + b] = from[at + ((m * rows + r) * columns + c) * bytes + b];
                }
            }
        }
    }
    transpose(bytes, matrices, rows, columns, from + at, to + at);
    if (differs(to, all + 2 * BESIDE)) return 1;
    for (b = 0; b < at; ++b) expected[b] = from[b];
    for (b = at + all; b < all + 2 * BESIDE; ++b) expected[b] = from[b];
    transpose(bytes, matrices, rows, columns, from + at, from + at);
    return differs(from, all + 2 * BESIDE);
}

static int check_copy(void)
{
    tarn_copy_params p;
    const int32_t step = below(2) == 0 ? 4 : 1;
    int32_t o, i;
    p.outer = below(7);
    p.inner = step * below(9);
    p.x_pitch = p.inner + step * below(4);
    p.y_pitch = p.inner + step * below(4);
    p.x_offset = step * below(9);
    p.y_offset = step * below(9);
    fill(from, 512);
    fill(to, 512);
    for (i = 0; i < 512; ++i) expected[i] = to[i];
    for (o = 0; o < p.outer; ++o) {
        for (i = 0; i < p.inner; ++i) expected[p.y_offset + o * p.y_pitch + i] = from[p.x_offset + o * p.x_pitch + i];
    }
    tarn_copy(&p, from, to);
    return differs(to, 512);
}

static int check(void)
{
    int32_t turn, bytes, rows, columns;
    for (turn = 0; turn < 3000; ++turn) {
        if (check_copy() != 0) return 1;
    }
    for (bytes = 1; bytes <= 8; bytes *= 2) {
        for (rows = 1; rows <= 13; ++rows) {
            for (columns = 1; columns <= 13; ++columns) {
                if (check_transpose(bytes, 1 + below(3), rows, columns, below(4)) != 0) return 2;
            }
        }
        for (turn = 0; turn < 40; ++turn) {
            const int32_t side = 1 + below(12);
            rows = side * (1 + below(4));
            columns = side * (1 + below(4));
            if (bytes * rows * columns <= MOST && check_transpose(bytes, 1, rows, columns, below(4)) != 0) return 3;
        }
    }
    return 0;
}

int main(void)
{
    const int failed = check();
#ifdef TARN_TEST_TARGET
    if (failed != 0) semihost_print(failed == 1 ? "a copy is wrong\n" : "a transpose is wrong\n");
    semihost_exit((uint32_t)failed);
#else
    if (failed != 0) printf("%s is wrong\n", failed == 1 ? "a copy" : "a transpose");
#endif
    return failed;
}
