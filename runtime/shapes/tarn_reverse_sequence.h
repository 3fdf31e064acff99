/* SPDX-License-Identifier: MIT-0
 * What reversing sequences needs to know. */
#ifndef TARN_REVERSE_SEQUENCE_H
#define TARN_REVERSE_SEQUENCE_H

#include "tarn.h"

/* `batch` sequences of `time` steps; a step is `inner` elements; the pitches are in elements. */
typedef struct {
    int32_t batch, time, inner, batch_pitch, time_pitch;
} tarn_reverse_sequence_params;

#endif
