/* tarn_transpose_* in place and elsewhere, of every size of element, against element by element; tarn_copy at every alignment of what it
 * copies from, to and in what steps; tarn_strided_* and tarn_pad_*, whose runs are long or short, at every alignment of elements, and
 * padding over its own input. Nothing beside the result is written. */
#include "tarn_copy.h"
#include "tarn_pad_b1.h"
#include "tarn_pad_b2.h"
#include "tarn_pad_b4.h"
#include "tarn_pad_b8.h"
#include "tarn_strided_b1.h"
#include "tarn_strided_b2.h"
#include "tarn_strided_b4.h"
#include "tarn_strided_b8.h"
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
#ifndef TURNS /* of random strides and paddings */
#define TURNS 60
#endif
enum { MOST = LARGEST, BESIDE = 8, REACH = 4000 }; /* REACH: what random strides and paddings touch, in bytes */

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

static void move_element(int32_t bytes, int32_t y, const uint8_t *element)
{
    int32_t b;
    for (b = 0; b < bytes; ++b) expected[y + b] = element[b];
}

/* Three axes, the last of which is a run half of the time. */
static int check_strided(int32_t bytes)
{
    tarn_strided_params p = {3, {0}, {0}, 0};
    const int32_t at = bytes * below(BESIDE / bytes), last = 1 + below(22);
    int32_t i, j, k, n = 0;
    p.dims[0] = 1 + below(3);
    p.dims[1] = 1 + below(4);
    p.dims[2] = last;
    p.strides[2] = below(2) == 0 ? 1 : below(3);
    p.strides[1] = below(2) == 0 ? 4 * below(7) : below(30);
    p.strides[0] = below(2) == 0 ? 4 * below(11) : below(50);
    p.offset = below(2) == 0 ? 4 * below(3) : below(9);
    fill(from, REACH);
    fill(to, REACH);
    for (i = 0; i < REACH; ++i) expected[i] = to[i];
    for (i = 0; i < p.dims[0]; ++i) {
        for (j = 0; j < p.dims[1]; ++j) {
            for (k = 0; k < last; ++k, ++n)
                move_element(bytes, at + n * bytes, from + at + bytes * (p.offset + i * p.strides[0] + j * p.strides[1] + k * p.strides[2]));
        }
    }
    if (bytes == 1) tarn_strided_b1(&p, from + at, to + at);
    if (bytes == 2) tarn_strided_b2(&p, from + at, to + at);
    if (bytes == 4) tarn_strided_b4(&p, from + at, to + at);
    if (bytes == 8) tarn_strided_b8(&p, from + at, to + at);
    return differs(to, REACH);
}

static void pad(int32_t bytes, const tarn_pad_params *p, const void *x, const void *value, void *y)
{
    if (bytes == 1) tarn_pad_b1(p, x, value, y);
    if (bytes == 2) tarn_pad_b2(p, x, value, y);
    if (bytes == 4) tarn_pad_b4(p, x, value, y);
    if (bytes == 8) tarn_pad_b8(p, x, value, y);
}

/* ONNX, Pad: step by step towards the image; -1: a constant. */
static int32_t pad_from(int32_t mode, int32_t in, int32_t at)
{
    if (mode == TARN_PAD_CONSTANT) return at >= 0 && at < in ? at : -1;
    if (mode == TARN_PAD_EDGE) return at < 0 ? 0 : at < in ? at : in - 1;
    while (at < 0 || at >= in) {
        if (mode == TARN_PAD_WRAP || in == 1) at += at < 0 ? in : -in;
        else at = at < 0 ? -at : 2 * (in - 1) - at;
    }
    return at;
}

/* Two axes of pixels of `inner` elements, the last one with room beside its rows at times; begins and ends may cut. Constant padding
 * also over its input, which ends where the result does. */
static int check_pad(int32_t bytes)
{
    tarn_pad_params p = {2, 0, 1, 0, {0}, {0}, {0}, {0}};
    const int32_t at = bytes * below(BESIDE / bytes), filled = below(3) > 0;
    int32_t i, j, k, n = 0, all;
    uint64_t value = 0;
    if (filled) fill((uint8_t *)&value, bytes);
    p.mode = below(4);
    p.inner = below(2) == 0 ? 1 : 1 + below(24 / bytes);
    for (i = 0; i < 2; ++i) {
        p.in[i] = 1 + below(i == 0 ? 3 : 12);
        p.begin[i] = below(4) - (below(4) == 0 ? 2 : 0);
        p.out[i] = p.in[i] + p.begin[i] + below(4) - (below(4) == 0 ? 2 : 0);
        if (p.out[i] < 1) p.out[i] = 1;
    }
    p.stride[1] = p.inner + (below(4) == 0 ? below(3) : 0);
    p.stride[0] = p.stride[1] * p.in[1] + (below(2) == 0 ? 0 : 4 * below(2));
    p.offset = below(2) == 0 ? 0 : below(9);
    all = bytes * p.inner * p.out[0] * p.out[1];
    fill(from, REACH);
    fill(to, REACH);
    for (i = 0; i < REACH; ++i) expected[i] = to[i];
    for (i = 0; i < p.out[0]; ++i) {
        const int32_t row = pad_from(p.mode, p.in[0], i - p.begin[0]);
        for (j = 0; j < p.out[1]; ++j) {
            const int32_t pixel = pad_from(p.mode, p.in[1], j - p.begin[1]);
            for (k = 0; k < p.inner; ++k, ++n) {
                const uint8_t *x = from + at + bytes * (p.offset + row * p.stride[0] + pixel * p.stride[1] + k);
                move_element(bytes, at + bytes * n, row < 0 || pixel < 0 ? (const uint8_t *)&value : x);
            }
        }
    }
    pad(bytes, &p, from + at, filled ? &value : NULL, to + at);
    if (differs(to, REACH)) return 1;
    if (p.mode != TARN_PAD_CONSTANT || p.begin[0] < 0 || p.begin[1] < 0 || p.out[0] < p.in[0] + p.begin[0] || p.out[1] < p.in[1] + p.begin[1] ||
        p.stride[1] != p.inner || p.stride[0] != p.inner * p.in[1])
        return 0;
    {
        uint8_t *const x = to + at + all - bytes * p.inner * p.in[0] * p.in[1];
        for (i = 0; i < bytes * p.inner * p.in[0] * p.in[1]; ++i) x[i] = from[at + bytes * p.offset + i];
        p.offset = 0;
        pad(bytes, &p, x, filled ? &value : NULL, to + at);
    }
    return differs(to, REACH);
}

static int check(void)
{
    int32_t turn, bytes, rows, columns;
    for (turn = 0; turn < 3000; ++turn) {
        if (check_copy() != 0) return 1;
    }
    for (bytes = 1; bytes <= 8; bytes *= 2) {
        for (turn = 0; turn < TURNS; ++turn) {
            if (check_strided(bytes) != 0) return 4;
            if (check_pad(bytes) != 0) return 5;
        }
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
    static const char *const wrong[] = {"", "a copy is wrong\n", "a transpose is wrong\n", "a transpose is wrong\n", "a strided copy is wrong\n", "padding is wrong\n"};
    const int failed = check();
#ifdef TARN_TEST_TARGET
    if (failed != 0) semihost_print(wrong[failed]);
    semihost_exit((uint32_t)failed);
#else
    if (failed != 0) printf("%s", wrong[failed]);
#endif
    return failed;
}
