/* SPDX-License-Identifier: MIT-0
 * Lists of indices, of 64 bits (wide) or 32. */
#ifndef TARN_INDEX_H
#define TARN_INDEX_H

#include "tarn.h"

/* Index i of the list, counted from the end when it is below zero; -1 when it lies outside [0, size). */
TARN_INLINE int32_t tarn_index(const void *list, int32_t wide, int32_t i, int32_t size)
{
    int64_t v;
    if (wide != 0) {
        v = ((const int64_t *)list)[i];
    } else {
        v = ((const int32_t *)list)[i];
    }
    if (v < 0) {
        v += size;
    }
    return ((v < 0) || (v >= size)) ? -1 : (int32_t)v;
}

#endif
