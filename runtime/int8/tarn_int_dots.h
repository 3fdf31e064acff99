/* SPDX-License-Identifier: MIT-0
 * Sums of products of codes for four outputs, where processors have no products of several at a time. Weights stand as
 * [n/4][4 outputs][4 of n]; n > 0 is a multiple of 4. */
#ifndef TARN_INT_DOTS_H
#define TARN_INT_DOTS_H

#include "tarn.h"

TARN_BEGIN_C

/* One pixel: adds to four sums. */
TARN_API void tarn_int_dots(int32_t *sums, const int8_t *w, const int8_t *x, int32_t n);

/* Codes and weights as unsigned bytes: some processors load these faster. */
TARN_API void tarn_int_dots_unsigned(int32_t *sums, const uint8_t *w, const uint8_t *x, int32_t n);

/* Weights alone as unsigned bytes. */
TARN_API void tarn_int_dots_mixed(int32_t *sums, const uint8_t *w, const int8_t *x, int32_t n);

/* Registers for four pixels at a time. */
#if defined(__riscv) || defined(__x86_64__) || defined(__aarch64__)
#define TARN_INT_DOTS_MANY 1
#else
#define TARN_INT_DOTS_MANY 0
#endif

#if TARN_INT_DOTS_MANY
/* Four pixels, x as [n][4 pixels]: sums as [4 pixels][4 outputs] begin as those of the first pixel. */
TARN_API void tarn_int_dots_four(int32_t *sums, const int8_t *w, const int8_t *x, int32_t n);
#else
/* One of four pixels: x as [n][4 pixels]. */
TARN_API void tarn_int_dots_apart(int32_t *sums, const int8_t *w, const int8_t *x, int32_t n);
#endif

TARN_END_C
#endif
