/* SPDX-License-Identifier: MIT-0 */
#include "tarn_transpose_b4.h"
#include "tarn_words.h"

/* What comes to row r, column c of the result stands in row c, column r. */
TARN_FORCE_INLINE int32_t transpose_from_b4(int32_t at, int32_t rows, int32_t columns)
{
    return (at % rows * columns) + (at / rows);
}

/* A matrix of runs of `bytes` each. Runs go round in cycles. Each cycle is followed once, from its least position: another position is
 * known not to be the least as soon as the cycle comes by below it. */
static void transpose_cycles_b4(uint8_t *m, int32_t rows, int32_t columns, int32_t bytes)
{
    const int32_t last = (rows * columns) - 1;
    int32_t start;
    if ((rows == 1) || (columns == 1)) {
        return;
    }
    for (start = 1; start < last; ++start) {
        int32_t at = start;
        int32_t next;
        do {
            at = transpose_from_b4(at, rows, columns);
        } while (at > start);
        if (at < start) {
            continue;
        }
        for (next = transpose_from_b4(at, rows, columns); next != start; next = transpose_from_b4(at, rows, columns)) {
            uint8_t *a = m + ((ptrdiff_t)bytes * at);
            uint8_t *b = m + ((ptrdiff_t)bytes * next);
#if TARN_WORDS
            if (((TARN_WORD_BITS(m) | (uint32_t)bytes) & 3u) == 0u) {
                tarn_swap_words(a, b, bytes);
            } else
#endif
            {
                tarn_swap_bytes(a, b, bytes);
            }
            at = next;
        }
    }
}

/* side x side elements: each above the diagonal changes places with the one below it. */
static void transpose_square_b4(uint8_t *m, int32_t side)
{
    const ptrdiff_t row = (ptrdiff_t)TARN_BYTES_B4 * side;
    uint8_t *diagonal = m;
    int32_t left;
    for (left = side - 1; left > 0; --left) {
        uint8_t *right = diagonal + TARN_BYTES_B4;
        uint8_t *below = diagonal + row;
        int32_t i;
        for (i = left; i > 0; --i) {
            uint64_t held;
            tarn_move_b4((uint8_t *)&held, right);
            tarn_move_b4(right, below);
            tarn_move_b4(below, (const uint8_t *)&held);
            right += TARN_BYTES_B4;
            below += row;
        }
        diagonal += row + TARN_BYTES_B4;
    }
}

static int32_t transpose_common_b4(int32_t rows, int32_t columns)
{
    int32_t a = rows;
    int32_t b = columns;
    while (b != 0) {
        const int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* With g what rows and columns have in common, a * g rows of b * g columns are squares of g elements: whole rows of squares come to where
 * their square will stand, each is transposed, and its rows go to the rows of the result. */
static void transpose_in_place_b4(uint8_t *m, int32_t rows, int32_t columns, int32_t side)
{
    const int32_t run = TARN_BYTES_B4 * side;
    const ptrdiff_t strip = (ptrdiff_t)run * rows;
    uint8_t *at = m;
    int32_t i;
    transpose_cycles_b4(m, rows, columns / side, run);
    if (side == 1) {
        return;
    }
    for (i = rows / side * (columns / side); i > 0; --i) {
        transpose_square_b4(at, side);
        at += (ptrdiff_t)run * side;
    }
    at = m;
    for (i = columns / side; i > 0; --i) {
        transpose_cycles_b4(at, rows / side, side, run);
        at += strip;
    }
}

/* On a PC, where following cycles divides at each step for longer than a move takes, parts of so many bytes go through a copy. It is
 * small, since a PC's compiler measures stacks also where it stands in for a microcontroller that nobody has named. */
#if defined(__SSE2__) || defined(__aarch64__)
#define TRANSPOSE_COPIED_B4 256

static void transpose_copied_b4(uint8_t *m, int32_t rows, int32_t columns)
{
    uint64_t held[TRANSPOSE_COPIED_B4 / 8];
    uint8_t *to = (uint8_t *)held;
    int32_t c;
    int32_t i;
    for (c = 0; c < columns; ++c) {
        const uint8_t *run = m + ((ptrdiff_t)TARN_BYTES_B4 * c);
        int32_t r;
        for (r = 0; r < rows; ++r) {
            tarn_move_b4(to, run);
            to += TARN_BYTES_B4;
            run += (ptrdiff_t)TARN_BYTES_B4 * columns;
        }
    }
    to = (uint8_t *)held;
    for (i = 0; i < (rows * columns); ++i) {
        tarn_move_b4(m, to);
        m += TARN_BYTES_B4;
        to += TARN_BYTES_B4;
    }
}

/* The most elements of equal parts of `length` of which `lines` can be copied; 0: not one. */
static int32_t transpose_part_b4(int32_t lines, int32_t length)
{
    const int32_t most = (TRANSPOSE_COPIED_B4 / TARN_BYTES_B4) / lines;
    int32_t part = (most < length) ? most : length;
    while ((part > 1) && ((length % part) != 0)) {
        --part;
    }
    return part;
}

/* Rows in parts of `wide`, those of the same columns brought together, or columns in parts of `tall`: each is copied by itself. Whether one
 * of them moves longer runs than squares of `side` would. */
static int32_t transpose_by_parts_b4(uint8_t *m, int32_t rows, int32_t columns, int32_t side)
{
    const int32_t wide = transpose_part_b4(rows, columns);
    const int32_t tall = transpose_part_b4(columns, rows);
    uint8_t *part = m;
    int32_t i;
    if ((wide <= side) && (tall <= side)) {
        return 0;
    }
    if (wide >= tall) {
        transpose_cycles_b4(m, rows, columns / wide, TARN_BYTES_B4 * wide);
        for (i = columns / wide; i > 0; --i) {
            transpose_copied_b4(part, rows, wide);
            part += (ptrdiff_t)TARN_BYTES_B4 * rows * wide;
        }
    } else {
        for (i = rows / tall; i > 0; --i) {
            transpose_copied_b4(part, tall, columns);
            part += (ptrdiff_t)TARN_BYTES_B4 * tall * columns;
        }
        transpose_cycles_b4(m, rows / tall, columns, TARN_BYTES_B4 * tall);
    }
    return 1;
}
#endif

TARN_API void tarn_transpose_b4(const tarn_transpose_b4_params *p, const void *x, void *y)
{
    const uint8_t *from = (const uint8_t *)x;
    uint8_t *to = (uint8_t *)y;
    int32_t matrix;
    for (matrix = 0; matrix < p->matrices; ++matrix) {
        if (from == to) {
            const int32_t side = transpose_common_b4(p->rows, p->columns);
#if defined(TRANSPOSE_COPIED_B4)
            if (transpose_by_parts_b4(to, p->rows, p->columns, side) == 0)
#endif
            {
                transpose_in_place_b4(to, p->rows, p->columns, side);
            }
            to += (ptrdiff_t)TARN_BYTES_B4 * p->rows * p->columns;
        } else {
            int32_t c;
            for (c = 0; c < p->columns; ++c) {
                const uint8_t *run = from + ((ptrdiff_t)TARN_BYTES_B4 * c);
                int32_t r;
                for (r = 0; r < p->rows; ++r) {
                    tarn_move_b4(to, run);
                    to += TARN_BYTES_B4;
                    run += (ptrdiff_t)TARN_BYTES_B4 * p->columns;
                }
            }
        }
        from += (ptrdiff_t)TARN_BYTES_B4 * p->rows * p->columns;
    }
}
