/* SPDX-License-Identifier: MIT-0
 * Joins an update with the element that is there; sums and products wrap. */
#ifndef TARN_JOIN_S32_H
#define TARN_JOIN_S32_H

#include "tarn_join.h"
#include "tarn_types_s32.h"

TARN_INLINE tarn_s32 tarn_join_s32(int32_t mode, tarn_s32 there, tarn_s32 update)
{
    switch (mode) {
    case TARN_JOIN_ADD:
        return tarn_store_s32((uint64_t)there + (uint64_t)update);
    case TARN_JOIN_MUL:
        return tarn_store_s32((uint64_t)there * (uint64_t)update);
    case TARN_JOIN_MIN:
        return there < update ? there : update;
    default:
        return there > update ? there : update;
    }
}

#endif
