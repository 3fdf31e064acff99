/* SPDX-License-Identifier: MIT-0
 * Reverses the first lengths[b] steps of sequence b and copies the others, elements of 4 bytes. */
#ifndef TARN_REVERSE_SEQUENCE_B4_H
#define TARN_REVERSE_SEQUENCE_B4_H

#include "tarn_bytes_b4.h"
#include "tarn_reverse_sequence.h"

TARN_BEGIN_C

/* y lies as x does, and shares no memory with it or the lengths. Returns 0, or -1 when a length is below 0 or above the number
 * of steps; y is incomplete then. */
TARN_API int32_t tarn_reverse_sequence_b4(const tarn_reverse_sequence_params *p, const void *x, const int64_t *lengths, void *y);

TARN_END_C
#endif
